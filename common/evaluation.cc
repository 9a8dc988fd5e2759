// SPDX-License-Identifier: Apache-2.0
#include "common/evaluation.h"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace seraph {
namespace {

using enum Metric;

constexpr Metric kBinaryMetrics[] = {kLogloss, kAuc, kAccuracy, kBaseLogloss};
constexpr Metric kBinaryHighlights[] = {kLogloss, kAuc};
constexpr Metric kRegressionMetrics[] = {kRmse, kR2};
constexpr Metric kClassesMetrics[] = {kLogloss, kAccuracy};
constexpr Metric kMarginMetrics[] = {kLoss, kAuc, kAccuracy};
constexpr Metric kValueMetrics[] = {kLoss, kRmse, kR2};

// By PredictionKind.
constexpr PredictionTraits kTraits[] = {
    {LabelKind::kBinary, kLogloss, kBinaryMetrics, kBinaryHighlights},
    {LabelKind::kNumber, kRmse, kRegressionMetrics, kRegressionMetrics},
    {LabelKind::kClasses, kLogloss, kClassesMetrics, kClassesMetrics},
    {LabelKind::kBinary, kLoss, kMarginMetrics, kMarginMetrics},
    {LabelKind::kNumber, kLoss, kValueMetrics, kValueMetrics},
};

static_assert(std::size(kTraits) == static_cast<size_t>(PredictionKind::kValue) + 1);

struct Names {
  const char* name;
  const char* title;
};

// By Metric.
constexpr Names kNames[] = {
    {"logloss", "logloss"},           {"loss", "loss"}, {"auc", "AUC"}, {"accuracy", "accuracy"},
    {"base_logloss", "base logloss"}, {"rmse", "rmse"}, {"r2", "R2"},
};

static_assert(std::size(kNames) == static_cast<size_t>(Metric::kR2) + 1);

// p ln p, continuous at 0.
double XLogX(double p) { return p > 0 ? p * std::log(p) : 0.0; }

void PutLoss(Metric metric, double mean, EvaluationMetrics* metrics) {
  if (metric == kLogloss) metrics->logloss = mean;
  if (metric == kLoss) metrics->loss = mean;
  if (metric == kRmse) metrics->rmse = std::sqrt(2 * mean);  // The loss is half a squared error.
}

void PutErrors(const EvaluationSums& sums, EvaluationMetrics* metrics) {
  const double n = static_cast<double>(sums.rows);
  metrics->rmse = std::sqrt(sums.error_squared / n);
  // sum (y - mean)^2; what rounding leaves of constant labels counts as nothing.
  const double spread = sums.label_squared - sums.label * (sums.label / n);
  if (spread > 1e-12 * sums.label_squared) metrics->r2 = 1 - sums.error_squared / spread;
}

}  // namespace

const char* MetricName(Metric metric) { return kNames[static_cast<size_t>(metric)].name; }

const char* MetricTitle(Metric metric) { return kNames[static_cast<size_t>(metric)].title; }

std::optional<Metric> MetricNamed(absl::string_view name) {
  for (size_t i = 0; i < std::size(kNames); ++i) {
    if (name == kNames[i].name) return static_cast<Metric>(i);
  }
  return std::nullopt;
}

bool PredictionTraits::Has(Metric metric) const {
  return std::find(metrics.begin(), metrics.end(), metric) != metrics.end();
}

const PredictionTraits& TraitsOf(PredictionKind kind) { return kTraits[static_cast<size_t>(kind)]; }

void EvaluationSums::Add(const EvaluationSums& other) {
  rows += other.rows;
  loss += other.loss;
  correct += other.correct;
  label += other.label;
  label_squared += other.label_squared;
  error_squared += other.error_squared;
}

EvaluationMetrics Summarise(PredictionKind kind, const EvaluationSums& sums) {
  EvaluationMetrics metrics = SummariseLoss(kind, sums.rows, sums.loss);
  if (sums.rows == 0) return metrics;
  const PredictionTraits& traits = TraitsOf(kind);
  const double n = static_cast<double>(sums.rows);
  const double mean = sums.label / n;
  if (traits.Has(kAccuracy)) metrics.accuracy = static_cast<double>(sums.correct) / n;
  if (traits.Has(kBaseLogloss)) metrics.base_logloss = std::abs(XLogX(mean) + XLogX(1 - mean));
  if (traits.Has(kRmse)) PutErrors(sums, &metrics);
  return metrics;
}

EvaluationMetrics SummariseLoss(PredictionKind kind, uint64_t rows, double loss) {
  EvaluationMetrics metrics;
  metrics.rows = rows;
  if (rows > 0) PutLoss(TraitsOf(kind).loss, loss / static_cast<double>(rows), &metrics);
  return metrics;
}

std::optional<double> ValueOf(const EvaluationMetrics& metrics, Metric metric) {
  switch (metric) {
    case kLogloss:
      return metrics.logloss;
    case kLoss:
      return metrics.loss;
    case kAccuracy:
      return metrics.accuracy;
    case kBaseLogloss:
      return metrics.base_logloss;
    case kRmse:
      return metrics.rmse;
    case kR2:
      return metrics.r2;
    case kAuc:
      return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace seraph
