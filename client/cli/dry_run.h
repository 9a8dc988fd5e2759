// SPDX-License-Identifier: Apache-2.0
// `seraph train --dry-run`.
#ifndef SERAPH_CLIENT_CLI_DRY_RUN_H_
#define SERAPH_CLIENT_CLI_DRY_RUN_H_

#include "absl/status/status.h"
#include "client/cli/terminal.h"
#include "proto/job.pb.h"

namespace seraph {

// Prints the resolved job as YAML that reads back, with the expected rows, bytes and memory as
// comments below; or both in one JSON object. Errors are those of bad data.
absl::Status PrintDryRun(const v1::JobSpec& job, bool json, const Terminal& terminal);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_DRY_RUN_H_
