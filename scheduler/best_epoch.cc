// SPDX-License-Identifier: Apache-2.0
#include "scheduler/best_epoch.h"

#include <optional>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

std::optional<double> ValueOf(const Score& score, Metric metric) {
  return metric == Metric::kAuc ? score.auc : ValueOf(score.metrics, metric);
}

bool MoreIsBetter(Metric metric) {
  return metric == Metric::kAuc || metric == Metric::kAccuracy || metric == Metric::kR2;
}

}  // namespace

absl::StatusOr<bool> BestEpoch::Take(uint32_t epoch, const Score& score) {
  const std::optional<double> value = ValueOf(score, plan_.metric);
  if (!value.has_value()) {
    return absl::InvalidArgumentError(
        absl::StrCat("early_stop.metric: epoch ", epoch, " has no ", MetricName(plan_.metric),
                     " of the ", score.metrics.rows, " rows that it was scored on"));
  }
  const bool better = MoreIsBetter(plan_.metric) ? *value > value_ : *value < value_;
  if (epoch_ != 0 && !better) return false;
  epoch_ = epoch;
  value_ = *value;
  return true;
}

}  // namespace seraph
