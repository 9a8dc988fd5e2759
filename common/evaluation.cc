// SPDX-License-Identifier: Apache-2.0
#include "common/evaluation.h"

#include <cmath>

namespace seraph {
namespace {

// p ln p, continuous at 0.
double XLogX(double p) { return p > 0 ? p * std::log(p) : 0.0; }

}  // namespace

void EvaluationSums::Add(const EvaluationSums& other) {
  rows += other.rows;
  loss += other.loss;
  correct += other.correct;
  label += other.label;
  label_squared += other.label_squared;
  error_squared += other.error_squared;
}

EvaluationMetrics Summarise(PredictionKind kind, const EvaluationSums& sums) {
  EvaluationMetrics metrics;
  metrics.rows = sums.rows;
  if (sums.rows == 0) return metrics;
  const double n = static_cast<double>(sums.rows);
  const double mean = sums.label / n;
  if (kind == PredictionKind::kBinary) {
    metrics.logloss = sums.loss / n;
    metrics.accuracy = static_cast<double>(sums.correct) / n;
    metrics.base_logloss = std::abs(XLogX(mean) + XLogX(1 - mean));
    return metrics;
  }
  metrics.rmse = std::sqrt(sums.error_squared / n);
  // sum (y - mean)^2; what rounding leaves of constant labels counts as nothing.
  const double spread = sums.label_squared - sums.label * mean;
  if (spread > 1e-12 * sums.label_squared) metrics.r2 = 1 - sums.error_squared / spread;
  return metrics;
}

EvaluationMetrics SummariseLoss(PredictionKind kind, uint64_t rows, double loss) {
  EvaluationMetrics metrics;
  metrics.rows = rows;
  if (rows == 0) return metrics;
  const double mean = loss / static_cast<double>(rows);
  if (kind == PredictionKind::kBinary) {
    metrics.logloss = mean;
  } else {
    metrics.rmse = std::sqrt(2 * mean);  // The loss is half the squared error.
  }
  return metrics;
}

}  // namespace seraph
