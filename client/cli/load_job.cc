// SPDX-License-Identifier: Apache-2.0
#include "client/cli/load_job.h"

#include <filesystem>
#include <system_error>

#include "absl/strings/ascii.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "client/cli/job/job_file.h"
#include "client/cli/job/key_path.h"
#include "client/cli/job/resolve.h"
#include "client/cli/job_inputs.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// The key that a message about a job begins with.
absl::string_view LeadingKey(absl::string_view message) {
  size_t length = 0;
  while (length < message.size() &&
         (absl::ascii_isalnum(message[length]) || message[length] == '_' ||
          message[length] == '.' || message[length] == '[' || message[length] == ']' ||
          message[length] == '/')) {
    ++length;
  }
  return message.substr(0, length);
}

absl::Status AddPlace(const KeyOrigins& origins, const absl::Status& status) {
  const absl::string_view message(status.message().data(), status.message().size());
  return Annotate(status, origins.PlaceOf(LeadingKey(message)));
}

// A job's name as that of a folder: "census fm/1" becomes "census_fm_1".
std::string FolderName(const std::string& name) {
  std::string folder = name;
  for (char& c : folder) {
    if (!absl::ascii_isalnum(c) && c != '-' && c != '_' && c != '.') c = '_';
  }
  return folder.empty() || folder[0] == '.' ? "_" + folder : folder;
}

absl::Status NameJobAndOutput(const std::string& path, v1::JobSpec* job) {
  std::error_code error;
  const std::filesystem::path absolute = std::filesystem::absolute(path, error);
  if (error) return absl::InternalError(absl::StrCat("no absolute path: ", error.message()));
  if (job->name().empty()) job->set_name(absolute.stem().string());
  if (job->output().model().empty()) {
    const auto folder = absolute.parent_path() / "out" / FolderName(job->name());
    job->mutable_output()->set_model(folder.lexically_normal().string());
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<v1::JobSpec> LoadJob(FileSystem* files, const LoadJobOptions& options) {
  KeyOrigins origins(options.path);
  ASSIGN_OR_RETURN(v1::JobSpec job,
                   ReadJobFile(options.path, options.overrides, &origins, options.interrupted));
  RETURN_IF_ERROR(Annotate(NameJobAndOutput(options.path, &job), options.path));
  RETURN_IF_ERROR(AddPlace(origins, ResolveJob(options.cores, &job)));
  RETURN_IF_ERROR(AddPlace(origins, CheckJobInputs(files, job)));
  RETURN_IF_ERROR(AddPlace(origins, NameColumns(files, &job)));
  return job;
}

}  // namespace seraph
