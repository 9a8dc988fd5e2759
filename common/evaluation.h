// SPDX-License-Identifier: Apache-2.0
// From sums over scored rows to metrics: one place for `train`, `evaluate` and the scheduler, so
// that figures agree.
#ifndef SERAPH_COMMON_EVALUATION_H_
#define SERAPH_COMMON_EVALUATION_H_

#include <cstdint>
#include <optional>

#include "absl/strings/string_view.h"
#include "absl/types/span.h"

namespace seraph {

// What a model says of a row.
enum class PredictionKind {
  kBinary,      // The probability of one of two classes, learned by its logloss.
  kRegression,  // A number, learned by half its squared error.
  kClasses,     // A probability for each of several classes, learned by their logloss.
  kMargin,      // A number whose sign says which of two classes; the loss is the model's own.
  kValue,       // A number; the loss is the model's own.
};

enum class Metric { kLogloss, kLoss, kAuc, kAccuracy, kBaseLogloss, kRmse, kR2 };

// Of a metric: its name in JSON and in v1.Metrics, and the one for people.
const char* MetricName(Metric metric);
const char* MetricTitle(Metric metric);
// The metric of that name in JSON; absent when there is none.
std::optional<Metric> MetricNamed(absl::string_view name);

// What labels are to a model: 0 and 1, classes from 0, or numbers.
enum class LabelKind { kBinary, kClasses, kNumber };

// What a kind of prediction means: all that differs between kinds of models outside of them.
struct PredictionTraits {
  LabelKind labels;
  Metric loss;                          // What the mean of the rows' losses gives.
  absl::Span<const Metric> metrics;     // All, in the order in which they are shown.
  absl::Span<const Metric> highlights;  // Those that a line about training has room for.

  bool Has(Metric metric) const;
  bool has_auc() const { return Has(Metric::kAuc); }
};
const PredictionTraits& TraitsOf(PredictionKind kind);

// Sums over a set of rows; sets add up. Add blocks in one order everywhere and the totals have the
// same bits.
struct EvaluationSums {
  uint64_t rows = 0;
  double loss = 0;       // Of each row's loss (Model::Loss): in nats for probabilities.
  uint64_t correct = 0;  // Binary: rows on the right side; classes: with the likeliest one.
  double label = 0;      // Binary labels count as 0 and 1.
  double label_squared = 0;
  double error_squared = 0;  // Of predictions that are numbers.

  void Add(const EvaluationSums& other);
};

// What is undefined (no rows, one class, constant labels) or does not belong to the kind of model
// is absent.
struct EvaluationMetrics {
  uint64_t rows = 0;
  std::optional<double> logloss;  // In nats.
  std::optional<double> loss;     // Where it is neither logloss nor half a squared error.
  std::optional<double> accuracy;
  std::optional<double> base_logloss;  // Of the constant mean label of these rows.
  std::optional<double> rmse, r2;      // r2 = 1 - sum e^2 / sum (y - mean)^2.
};

EvaluationMetrics Summarise(PredictionKind kind, const EvaluationSums& sums);

// Of rows of which only the sum of their losses is known (those that training scored): the metric
// that it gives.
EvaluationMetrics SummariseLoss(PredictionKind kind, uint64_t rows, double loss);

// The metric, absent where it is not there; AUC is not among them.
std::optional<double> ValueOf(const EvaluationMetrics& metrics, Metric metric);

}  // namespace seraph

#endif  // SERAPH_COMMON_EVALUATION_H_
