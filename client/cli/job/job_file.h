// SPDX-License-Identifier: Apache-2.0
// Job files: YAML (or JSON, which YAML contains; or protobuf text, *.textproto) to a JobSpec,
// checked against the proto schema.
#ifndef SERAPH_CLIENT_CLI_JOB_JOB_FILE_H_
#define SERAPH_CLIENT_CLI_JOB_JOB_FILE_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/job/key_path.h"
#include "proto/job.pb.h"

namespace seraph {

// Reads `path` and applies overrides "a.b=c" (`c` is YAML) in their order; an override replaces all
// that its key held. Paths become absolute by the job file's folder. Does not fill defaults and
// does not judge values (client/cli/job/resolve.h does). INVALID_ARGUMENT with "FILE:LINE: KEY:
// what is wrong", for an unknown key with "did you mean ..."; an override's error names the
// override. NOT_FOUND for a missing file. Keys of later versions are refused by name:
// UNIMPLEMENTED. `origins`, when given, learns where each key was stated. A pipe is read to its
// end; CANCELLED when `interrupted`, asked while nothing comes, names a signal.
absl::StatusOr<v1::JobSpec> ReadJobFile(
    const std::string& path, const std::vector<std::string>& overrides,
    KeyOrigins* origins = nullptr,
    const std::function<std::optional<int>()>& interrupted = [] { return std::nullopt; });

// The same from text; `name` stands for the file in messages (its ending tells protobuf text from
// YAML), relative paths are joined to `folder`.
absl::StatusOr<v1::JobSpec> ParseJob(const std::string& text, const std::string& name,
                                     const std::string& folder,
                                     const std::vector<std::string>& overrides,
                                     KeyOrigins* origins = nullptr);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_JOB_FILE_H_
