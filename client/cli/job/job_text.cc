// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/job_text.h"

#include <google/protobuf/descriptor.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/text_format.h>

#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/strip.h"
#include "client/cli/job/key_path.h"
#include "client/cli/job/scalar_text.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;
using google::protobuf::Message;

// Keeps the first error: what follows it is often a consequence.
class FirstError : public google::protobuf::io::ErrorCollector {
 public:
  void AddError(int line, int column, const std::string& message) override {
    if (!message_.empty()) return;
    line_ = line + 1;
    message_ = message;
  }
  int line() const { return line_; }
  const std::string& message() const { return message_; }

 private:
  int line_ = 0;
  std::string message_;
};

// The schema path of the first place that holds messages of the type; false when there is none.
bool FindPathOf(const std::string& type, const Descriptor* in, const KeyPath& path,
                KeyPath* found) {
  if (in->full_name() == type) {
    *found = path;
    return true;
  }
  for (int i = 0; i < in->field_count(); ++i) {
    const FieldDescriptor* field = in->field(i);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    const KeyPath at = path.Field(field->name());
    const bool is_map = field->is_map();
    const Descriptor* inner =
        is_map ? field->message_type()->map_value()->message_type() : field->message_type();
    if (inner != nullptr && FindPathOf(type, inner, is_map ? at.MapEntry("*") : at, found)) {
      return true;
    }
  }
  return false;
}

// `Message type "seraph.v1.TrainSpec" has no field named "epoch".` in the words of job files.
absl::Status Reword(const std::string& place, const std::string& message) {
  const std::vector<std::string> parts = absl::StrSplit(message, '"');
  KeyPath path;
  const bool unknown = parts.size() == 5 && parts[2] == " has no field named " &&
                       FindPathOf(parts[1], v1::JobSpec::descriptor(), KeyPath{}, &path);
  if (!unknown) return absl::InvalidArgumentError(absl::StrCat(place, ": ", message));
  const Descriptor* type =
      v1::JobSpec::descriptor()->file()->pool()->FindMessageTypeByName(parts[1]);
  const KeyPath key = path.Field(parts[3]);
  if (IsLaterKey(key.schema)) {
    return absl::UnimplementedError(absl::StrCat(place, ": ", key.shown, ": not in this version"));
  }
  std::vector<std::string> valid;
  for (int i = 0; i < type->field_count(); ++i) valid.push_back(type->field(i)->name());
  const std::string nearest = NearestName(parts[3], valid);
  return absl::InvalidArgumentError(
      absl::StrCat(place, ": ", key.shown, ": unknown key",
                   nearest.empty() ? "" : absl::StrCat(", did you mean \"", nearest, "\"?")));
}

// Escapes in protobuf text can give bytes that no protobuf string may hold.
bool HoldsOnlyUtf8(const Message& message) {
  std::vector<const FieldDescriptor*> fields;
  const auto* reflection = message.GetReflection();
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    const bool is_message = field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE;
    if (!is_message && field->cpp_type() != FieldDescriptor::CPPTYPE_STRING) continue;
    const int count = field->is_repeated() ? reflection->FieldSize(message, field) : 1;
    for (int i = 0; i < count; ++i) {
      if (is_message) {
        const Message& inner = field->is_repeated()
                                   ? reflection->GetRepeatedMessage(message, field, i)
                                   : reflection->GetMessage(message, field);
        if (!HoldsOnlyUtf8(inner)) return false;
      } else if (!IsUtf8(field->is_repeated() ? reflection->GetRepeatedString(message, field, i)
                                              : reflection->GetString(message, field))) {
        return false;
      }
    }
  }
  return true;
}

}  // namespace

absl::Status ParseJobText(const std::string& text, const std::string& name, v1::JobSpec* job) {
  FirstError error;
  google::protobuf::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(32);
  if (!parser.ParseFromString(text, job)) {
    return Reword(absl::StrCat(name, ":", error.line()), error.message());
  }
  if (!HoldsOnlyUtf8(*job)) {
    return absl::InvalidArgumentError(absl::StrCat(name, ": a text is not UTF-8"));
  }
  return absl::OkStatus();
}

}  // namespace seraph
