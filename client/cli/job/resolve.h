// SPDX-License-Identifier: Apache-2.0
// From a job file's JobSpec to a resolved one: every field set, every value possible.
#ifndef SERAPH_CLIENT_CLI_JOB_RESOLVE_H_
#define SERAPH_CLIENT_CLI_JOB_RESOLVE_H_

#include <string>

#include "absl/status/status.h"
#include "proto/job.pb.h"

namespace seraph {

// Fills defaults (they fit the machine: `cores`) and checks values: model type, format and
// optimizer against their registries, ranges, what excludes what. Fields that do not belong to the
// job's model, optimizer or mode stay unset, and so does an empty output.model (nothing is saved).
// INVALID_ARGUMENT: the message begins with the KEY and names the value; UNIMPLEMENTED what a later
// version does. Looks at no file (client/cli/job/job_inputs.h does). Resolving twice changes
// nothing.
absl::Status ResolveJob(int cores, v1::JobSpec* job);

// The job as YAML, as --dry-run prints it; reads back equal.
std::string JobToYaml(const v1::JobSpec& job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_RESOLVE_H_
