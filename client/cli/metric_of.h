// SPDX-License-Identifier: Apache-2.0
// Metrics as they come from the scheduler, by their names.
#ifndef SERAPH_CLIENT_CLI_METRIC_OF_H_
#define SERAPH_CLIENT_CLI_METRIC_OF_H_

#include <optional>

#include "common/evaluation.h"
#include "proto/control.pb.h"

namespace seraph {

// Absent where the message does not have it.
std::optional<double> MetricOf(const v1::Metrics& metrics, Metric metric);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_METRIC_OF_H_
