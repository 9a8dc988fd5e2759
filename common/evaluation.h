// SPDX-License-Identifier: Apache-2.0
// From sums over scored rows to metrics: one place for `train`, `evaluate` and the scheduler, so
// that figures agree.
#ifndef SERAPH_COMMON_EVALUATION_H_
#define SERAPH_COMMON_EVALUATION_H_

#include <cstdint>
#include <optional>

namespace seraph {

// Sums over a set of rows; sets add up. Add blocks in one order everywhere and the totals have the
// same bits.
struct EvaluationSums {
  uint64_t rows = 0;
  double loss =
      0;  // Of the model's own loss: logloss in nats, half the squared error for regression.
  uint64_t correct = 0;  // Binary: rows on the right side of 0.5.
  double label = 0;      // Binary labels count as 0 and 1.
  double label_squared = 0;
  double error_squared = 0;  // Regression.

  void Add(const EvaluationSums& other);
};

// What is undefined (no rows, one class, constant labels) or does not belong to the kind of model
// is absent.
struct EvaluationMetrics {
  uint64_t rows = 0;
  std::optional<double> logloss, accuracy,
      base_logloss;                // Binary; base: of the constant mean label of these rows.
  std::optional<double> rmse, r2;  // Regression; r2 = 1 - sum e^2 / sum (y - mean)^2.
};

// What a model says of a row: the probability of one of two classes, or a number.
enum class PredictionKind { kBinary, kRegression };

EvaluationMetrics Summarise(PredictionKind kind, const EvaluationSums& sums);

// Of rows of which only the sum of their losses is known (those that training scored): logloss or
// rmse.
EvaluationMetrics SummariseLoss(PredictionKind kind, uint64_t rows, double loss);

}  // namespace seraph

#endif  // SERAPH_COMMON_EVALUATION_H_
