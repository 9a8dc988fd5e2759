// SPDX-License-Identifier: Apache-2.0
// The keys `validation` and `early_stop` of a job: defaults and checks.
#ifndef SERAPH_CLIENT_CLI_JOB_RESOLVE_VALIDATION_H_
#define SERAPH_CLIENT_CLI_JOB_RESOLVE_VALIDATION_H_

#include "absl/status/status.h"
#include "common/evaluation.h"
#include "proto/job.pb.h"

namespace seraph {

// Fills what is left out; early_stop stays absent where it is not stated. `kind` is that of the
// job's model, which has only some of the metrics. INVALID_ARGUMENT names key and value.
absl::Status ResolveValidation(PredictionKind kind, v1::JobSpec* job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_RESOLVE_VALIDATION_H_
