// SPDX-License-Identifier: Apache-2.0
// Optimizer sections of a job: defaults and checks.
#ifndef SERAPH_CLIENT_CLI_JOB_RESOLVE_OPTIMIZER_H_
#define SERAPH_CLIENT_CLI_JOB_RESOLVE_OPTIMIZER_H_

#include <string>

#include "absl/status/status.h"
#include "proto/job.pb.h"

namespace seraph {

// Fills what `config` leaves out from `defaults` where both name the same type (or config none),
// else from the defaults of OptimizerSpec, and checks the result against the registry. `key` names
// the section. A schedule is taken from `defaults` as a whole; without one the rate is constant.
// INVALID_ARGUMENT: an unknown type, a parameter that the type does not have, a value out of range.
absl::Status ResolveOptimizer(const std::string& key, const v1::OptimizerConfig& defaults,
                              v1::OptimizerConfig* config);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_RESOLVE_OPTIMIZER_H_
