// SPDX-License-Identifier: Apache-2.0
#include "client/cli/metric_of.h"

#include <google/protobuf/descriptor.h>

namespace seraph {

std::optional<double> MetricOf(const v1::Metrics& metrics, Metric metric) {
  const google::protobuf::FieldDescriptor* const field =
      metrics.GetDescriptor()->FindFieldByName(MetricName(metric));
  const google::protobuf::Reflection* const reflection = metrics.GetReflection();
  if (field == nullptr || !reflection->HasField(metrics, field)) return std::nullopt;
  return reflection->GetDouble(metrics, field);
}

}  // namespace seraph
