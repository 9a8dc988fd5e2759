// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/job_file.h"

#include <fcntl.h>
#include <google/protobuf/descriptor.h>
#include <poll.h>
#include <unistd.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/job/job_text.h"
#include "client/cli/job/scalar_text.h"
#include "client/cli/job/yaml_reader.h"
#include "common/process/signal_text.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

constexpr size_t kMaxJobBytes = size_t{4} << 20;
constexpr int kInterruptPeriodMs = 100;

// Takes no notice of what a document holds.
class IgnoreEvents : public YAML::EventHandler {
 public:
  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t,
                const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {}
  void OnMapEnd() override {}
};

// YAML::LoadAll would tell as well, but never ends where a document begins with ",".
bool HoldsMoreThanOneDocument(const std::string& text) {
  std::istringstream stream(text);
  YAML::Parser parser(stream);
  IgnoreEvents ignore;
  return parser.HandleNextDocument(ignore) && parser.HandleNextDocument(ignore);
}

absl::StatusOr<YAML::Node> LoadOneDocument(const std::string& text, const std::string& place,
                                           bool with_lines) {
  try {
    if (HoldsMoreThanOneDocument(text)) {
      return absl::InvalidArgumentError(absl::StrCat(place, ": more than one YAML document"));
    }
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    const bool placed = with_lines && !e.mark.is_null();
    return absl::InvalidArgumentError(absl::StrCat(
        place, placed ? absl::StrCat(":", e.mark.line + 1) : "", ": no valid YAML: ", e.msg));
  }
}

absl::Status ParseYaml(const std::string& text, const std::string& name, KeyOrigins* origins,
                       v1::JobSpec* job) {
  ASSIGN_OR_RETURN(const YAML::Node root, LoadOneDocument(text, name, /*with_lines=*/true));
  if (root.IsNull()) return absl::InvalidArgumentError(absl::StrCat(name, ": the job is empty"));
  const YamlReader reader(name, /*with_lines=*/true, job->GetDescriptor(), origins);
  return reader.ReadMessage(root, KeyPath{}, job);
}

// The entry of a map, made when the map has none of that key.
Message* MapEntry(Message* message, const FieldDescriptor* field, const std::string& key) {
  const auto* reflection = message->GetReflection();
  const FieldDescriptor* key_field = field->message_type()->map_key();
  for (int i = 0; i < reflection->FieldSize(*message, field); ++i) {
    Message* entry = reflection->MutableRepeatedMessage(message, field, i);
    if (entry->GetReflection()->GetString(*entry, key_field) == key) return entry;
  }
  Message* entry = reflection->AddMessage(message, field);
  entry->GetReflection()->SetString(entry, key_field, key);
  return entry;
}

absl::Status ApplyOverride(const std::string& text, KeyOrigins* origins, v1::JobSpec* job) {
  const std::string place = absl::StrCat("--set ", Printable(text));
  const size_t equals = text.find('=');
  if (equals == std::string::npos || equals == 0 || !IsUtf8(text)) {
    return absl::InvalidArgumentError(absl::StrCat(place, ": KEY=VALUE is wanted"));
  }
  ASSIGN_OR_RETURN(const YAML::Node value,
                   LoadOneDocument(text.substr(equals + 1), place, /*with_lines=*/false));
  const YamlReader reader(place, /*with_lines=*/false, job->GetDescriptor(), origins);
  const std::vector<std::string> keys = absl::StrSplit(text.substr(0, equals), '.');

  Message* message = job;
  KeyPath path;
  for (size_t i = 0; i < keys.size(); ++i) {
    const FieldDescriptor* field = message->GetDescriptor()->FindFieldByName(keys[i]);
    if (field == nullptr) return reader.UnknownKey(keys[i], 0, path, message->GetDescriptor());
    path = path.Field(keys[i]);
    if (i + 1 == keys.size()) return reader.ReadField(value, 0, path, field, message);
    if (field->is_map()) {
      Message* const entry = MapEntry(message, field, keys[++i]);
      path = path.MapEntry(keys[i]);
      const bool last = i + 1 == keys.size();
      const FieldDescriptor* value_field = field->message_type()->map_value();
      if (value_field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
        if (!last) return reader.Wrong(0, path, "a value, it has no keys below it");
        return reader.ReadField(value, 0, path, value_field, entry);
      }
      message = entry->GetReflection()->MutableMessage(entry, value_field);
      if (last) {
        message->Clear();
        origins->Note(path.shown, place);
        return reader.ReadMessage(value, path, message);
      }
    } else if (field->is_repeated()) {
      return reader.Wrong(0, path, "a list is replaced as a whole");
    } else if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) {
      return reader.Wrong(0, path, "a value, it has no keys below it");
    } else {
      message = message->GetReflection()->MutableMessage(message, field);
    }
  }
  return absl::OkStatus();
}

void MakeAbsolute(const std::filesystem::path& folder, std::string* path) {
  if (path->empty()) return;
  std::string joined = (folder / *path).lexically_normal().string();
  while (joined.size() > 1 && joined.back() == '/') joined.pop_back();
  *path = std::move(joined);
}

void MakePathsAbsolute(const std::filesystem::path& folder, v1::JobSpec* job) {
  if (job->has_data()) {
    v1::DataSpec* const data = job->mutable_data();
    for (auto* const entries : {data->mutable_train(), data->mutable_test()}) {
      for (v1::DataPath& entry : *entries) {
        MakeAbsolute(folder, entry.mutable_path());
        if (entry.has_weights()) MakeAbsolute(folder, entry.mutable_weights());
      }
    }
    if (data->has_weights()) MakeAbsolute(folder, data->mutable_weights());
  }
  if (job->train().has_start_from()) {
    MakeAbsolute(folder, job->mutable_train()->mutable_start_from());
  }
  if (job->has_output()) MakeAbsolute(folder, job->mutable_output()->mutable_model());
}

// Reads until the end or one byte more than a job may have. A pipe without a writer is waited for.
absl::Status ReadDescriptor(int descriptor, const std::string& path,
                            const std::function<std::optional<int>()>& interrupted,
                            std::string* text) {
  pollfd entry = {.fd = descriptor, .events = POLLIN, .revents = 0};
  text->resize(kMaxJobBytes + 1);
  size_t size = 0;
  while (size < text->size()) {
    const int events = ::poll(&entry, 1, kInterruptPeriodMs);
    const std::optional<int> signal = events > 0 ? std::nullopt : interrupted();
    if (signal.has_value()) {
      return absl::CancelledError(absl::StrCat(path, ": ", SignalText(*signal)));
    }
    const ssize_t got = ::read(descriptor, text->data() + size, text->size() - size);
    if (got < 0 && errno != EAGAIN && errno != EINTR) {
      return absl::PermissionDeniedError(
          absl::StrCat(path, ": cannot be read: ", std::strerror(errno)));
    }
    // A pipe that no writer has opened yet reads like one at its end, but has no event.
    if (got == 0 && (size > 0 || events > 0)) break;
    size += static_cast<size_t>(std::max<ssize_t>(got, 0));
  }
  text->resize(size);
  return absl::OkStatus();
}

absl::StatusOr<std::string> ReadText(const std::string& path,
                                     const std::function<std::optional<int>()>& interrupted) {
  std::error_code error;
  const auto status = std::filesystem::status(path, error);
  if (!std::filesystem::exists(status)) {
    return absl::NotFoundError(absl::StrCat(path, ": no such job file"));
  }
  if (std::filesystem::is_directory(status)) {
    return absl::InvalidArgumentError(absl::StrCat(path, ": a folder, not a job file"));
  }
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) return absl::PermissionDeniedError(absl::StrCat(path, ": cannot be opened"));
  std::string text;
  const absl::Status read = ReadDescriptor(descriptor, path, interrupted, &text);
  ::close(descriptor);
  RETURN_IF_ERROR(read);
  return text;
}

}  // namespace

absl::StatusOr<v1::JobSpec> ParseJob(const std::string& text, const std::string& name,
                                     const std::string& folder,
                                     const std::vector<std::string>& overrides,
                                     KeyOrigins* origins) {
  if (text.size() > kMaxJobBytes) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": larger than ", kMaxJobBytes, " bytes"));
  }
  if (!IsUtf8(text)) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": not a text file in UTF-8"));
  }
  KeyOrigins unused(name);
  if (origins == nullptr) origins = &unused;
  v1::JobSpec job;
  RETURN_IF_ERROR(absl::EndsWith(name, ".textproto") ? ParseJobText(text, name, &job)
                                                     : ParseYaml(text, name, origins, &job));
  for (const std::string& change : overrides) {
    RETURN_IF_ERROR(ApplyOverride(change, origins, &job));
  }
  MakePathsAbsolute(folder, &job);
  return job;
}

absl::StatusOr<v1::JobSpec> ReadJobFile(const std::string& path,
                                        const std::vector<std::string>& overrides,
                                        KeyOrigins* origins,
                                        const std::function<std::optional<int>()>& interrupted) {
  ASSIGN_OR_RETURN(const std::string text, ReadText(path, interrupted));
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) {
    return absl::InternalError(absl::StrCat(path, ": no absolute path: ", error.message()));
  }
  return ParseJob(text, path, absolute.parent_path().string(), overrides, origins);
}

}  // namespace seraph
