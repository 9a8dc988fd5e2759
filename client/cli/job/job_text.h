// SPDX-License-Identifier: Apache-2.0
// A job as protobuf text (*.textproto).
#ifndef SERAPH_CLIENT_CLI_JOB_JOB_TEXT_H_
#define SERAPH_CLIENT_CLI_JOB_JOB_TEXT_H_

#include <string>

#include "absl/status/status.h"
#include "proto/job.pb.h"

namespace seraph {

// INVALID_ARGUMENT with "NAME:LINE: what is wrong" (for an unknown field with the nearest valid
// name), UNIMPLEMENTED for a field of a later version. `job` is then undefined.
absl::Status ParseJobText(const std::string& text, const std::string& name, v1::JobSpec* job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_JOB_TEXT_H_
