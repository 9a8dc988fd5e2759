// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve_validation.h"

#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/choice.h"
#include "common/hint.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr uint32_t kDefaultPatience = 3;
constexpr uint32_t kMaxPatience = 1'000'000;

// Those that training can be stopped by, the usual one first.
std::vector<std::string> MetricsOf(PredictionKind kind) {
  std::vector<std::string> names;
  for (const Metric metric : TraitsOf(kind).metrics) {
    if (metric != Metric::kBaseLogloss) names.push_back(MetricName(metric));
  }
  return names;
}

absl::Status ResolveEarlyStop(PredictionKind kind, const v1::JobSpec& job,
                              v1::EarlyStopSpec* stop) {
  if (job.validation() == 0 && job.data().test_size() == 0) {
    return WithHint(
        absl::InvalidArgumentError("early_stop: there are neither validation rows nor test data"),
        "state validation: 0.1 to hold out a tenth of the training rows, or data.test");
  }
  const std::vector<std::string> metrics = MetricsOf(kind);
  if (!stop->has_metric()) stop->set_metric(metrics.front());
  if (MetricNamed(stop->metric()).has_value() &&
      std::count(metrics.begin(), metrics.end(), stop->metric()) == 0) {
    return absl::InvalidArgumentError(absl::StrCat("early_stop.metric: ", job.model().type(),
                                                   " has no ", stop->metric(), ", it has ",
                                                   absl::StrJoin(metrics, ", ")));
  }
  RETURN_IF_ERROR(CheckChoice("early_stop.metric", stop->metric(), metrics, {}));
  if (!stop->has_patience()) stop->set_patience(kDefaultPatience);
  if (stop->patience() < 1 || stop->patience() > kMaxPatience) {
    return absl::InvalidArgumentError(
        absl::StrCat("early_stop.patience: ", stop->patience(), " is not in 1..", kMaxPatience));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ResolveValidation(PredictionKind kind, v1::JobSpec* job) {
  if (!job->has_validation()) job->set_validation(0);
  if (!(job->validation() >= 0 && job->validation() < 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat("validation: ", job->validation(), " is not from 0 on and below 1"));
  }
  if (!job->has_early_stop()) return absl::OkStatus();
  return ResolveEarlyStop(kind, *job, job->mutable_early_stop());
}

}  // namespace seraph
