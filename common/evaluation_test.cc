// SPDX-License-Identifier: Apache-2.0
#include "common/evaluation.h"

#include <cmath>
#include <vector>

#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(EvaluationTest, BinaryMetricsAreMeansOverRows) {
  EvaluationSums sums;
  sums.Add({.rows = 3, .loss = 1.5, .correct = 2, .label = 1, .label_squared = 1});
  sums.Add({.rows = 1, .loss = 0.5, .correct = 1, .label = 0, .label_squared = 0});
  const EvaluationMetrics metrics = Summarise(PredictionKind::kBinary, sums);
  EXPECT_EQ(metrics.rows, 4u);
  EXPECT_EQ(metrics.logloss, 0.5);
  EXPECT_EQ(metrics.accuracy, 0.75);
  EXPECT_DOUBLE_EQ(metrics.base_logloss.value(), -(0.25 * std::log(0.25) + 0.75 * std::log(0.75)));
  EXPECT_FALSE(metrics.rmse.has_value());
  EXPECT_FALSE(metrics.r2.has_value());
}

TEST(EvaluationTest, BaseLoglossOfOneClassIsZero) {
  for (const double label : {0.0, 4.0}) {
    const EvaluationSums sums = {.rows = 4, .loss = 1, .correct = 4, .label = label};
    const EvaluationMetrics metrics = Summarise(PredictionKind::kBinary, sums);
    EXPECT_EQ(metrics.base_logloss, 0.0);
    EXPECT_FALSE(std::signbit(metrics.base_logloss.value()));
  }
}

TEST(EvaluationTest, RegressionMetrics) {
  EvaluationSums sums;
  const std::vector<double> labels = {1, 2, 3, 6};
  const std::vector<double> errors = {0.5, -0.5, 1, 0};
  for (size_t i = 0; i < labels.size(); ++i) {
    const double e2 = errors[i] * errors[i];
    sums.Add({.rows = 1,
              .loss = e2 / 2,
              .label = labels[i],
              .label_squared = labels[i] * labels[i],
              .error_squared = e2});
  }
  const EvaluationMetrics metrics = Summarise(PredictionKind::kRegression, sums);
  EXPECT_DOUBLE_EQ(metrics.rmse.value(), std::sqrt(1.5 / 4));
  EXPECT_DOUBLE_EQ(metrics.r2.value(), 1 - 1.5 / 14);  // (y - 3)^2: 4 + 1 + 0 + 9.
  EXPECT_FALSE(metrics.logloss.has_value());
  EXPECT_FALSE(metrics.accuracy.has_value());
}

TEST(EvaluationTest, TheLossAloneGivesLoglossOrRmse) {
  const EvaluationMetrics binary = SummariseLoss(PredictionKind::kBinary, 4, 2);
  EXPECT_EQ(binary.rows, 4u);
  EXPECT_EQ(binary.logloss, 0.5);
  EXPECT_FALSE(binary.rmse.has_value());
  // Errors of 3 and 4, of which the loss is half the square.
  const EvaluationMetrics regression =
      SummariseLoss(PredictionKind::kRegression, 2, 9.0 / 2 + 16.0 / 2);
  EXPECT_DOUBLE_EQ(regression.rmse.value(), std::sqrt((9.0 + 16.0) / 2));
  EXPECT_FALSE(regression.logloss.has_value());
  EXPECT_FALSE(SummariseLoss(PredictionKind::kRegression, 0, 0).rmse.has_value());
}

TEST(EvaluationTest, ClassesHaveLoglossAndAccuracy) {
  const EvaluationMetrics metrics =
      Summarise(PredictionKind::kClasses, {.rows = 4, .loss = 2, .correct = 3, .label = 9});
  EXPECT_EQ(metrics.logloss, 0.5);
  EXPECT_EQ(metrics.accuracy, 0.75);
  EXPECT_FALSE(metrics.base_logloss || metrics.loss || metrics.rmse);
  EXPECT_FALSE(TraitsOf(PredictionKind::kClasses).has_auc());
}

TEST(EvaluationTest, MarginsHaveALossOfTheirOwnAndAccuracy) {
  const EvaluationMetrics metrics =
      Summarise(PredictionKind::kMargin, {.rows = 4, .loss = 2, .correct = 3, .label = 2});
  EXPECT_EQ(metrics.loss, 0.5);
  EXPECT_EQ(metrics.accuracy, 0.75);
  EXPECT_FALSE(metrics.logloss || metrics.base_logloss || metrics.rmse);
  EXPECT_TRUE(TraitsOf(PredictionKind::kMargin).has_auc());
}

TEST(EvaluationTest, ValuesHaveALossOfTheirOwnBesideTheErrors) {
  const EvaluationSums sums = {
      .rows = 2, .loss = 3, .label = 4, .label_squared = 10, .error_squared = 8};
  const EvaluationMetrics metrics = Summarise(PredictionKind::kValue, sums);
  EXPECT_EQ(metrics.loss, 1.5);
  EXPECT_EQ(metrics.rmse, 2);
  EXPECT_EQ(metrics.r2, -3);
  EXPECT_FALSE(metrics.logloss || metrics.accuracy);
  const EvaluationMetrics training = SummariseLoss(PredictionKind::kValue, 2, 3);
  EXPECT_EQ(training.loss, 1.5);
  EXPECT_FALSE(training.rmse.has_value());
}

TEST(EvaluationTest, EveryKindHasTheMetricsThatItSays) {
  const EvaluationSums sums = {
      .rows = 2, .loss = 1, .correct = 1, .label = 1, .label_squared = 1, .error_squared = 1};
  for (const PredictionKind kind :
       {PredictionKind::kBinary, PredictionKind::kRegression, PredictionKind::kClasses,
        PredictionKind::kMargin, PredictionKind::kValue}) {
    const PredictionTraits& traits = TraitsOf(kind);
    const EvaluationMetrics metrics = Summarise(kind, sums);
    for (const Metric metric : {Metric::kLogloss, Metric::kLoss, Metric::kAccuracy,
                                Metric::kBaseLogloss, Metric::kRmse, Metric::kR2}) {
      EXPECT_EQ(ValueOf(metrics, metric).has_value(), traits.Has(metric)) << MetricName(metric);
    }
    EXPECT_TRUE(traits.Has(traits.loss));
    for (const Metric metric : traits.highlights) EXPECT_TRUE(traits.Has(metric));
  }
}

TEST(EvaluationTest, ConstantLabelsHaveNoR2) {
  const double label = 0.1;
  const EvaluationSums sums = {
      .rows = 10, .label = 10 * label, .label_squared = 10 * label * label, .error_squared = 1};
  const EvaluationMetrics metrics = Summarise(PredictionKind::kRegression, sums);
  EXPECT_FALSE(metrics.r2.has_value());
  EXPECT_TRUE(metrics.rmse.has_value());
}

TEST(EvaluationTest, NoRowsHaveNoMetrics) {
  for (const PredictionKind kind : {PredictionKind::kBinary, PredictionKind::kRegression}) {
    const EvaluationMetrics metrics = Summarise(kind, EvaluationSums{});
    EXPECT_EQ(metrics.rows, 0u);
    EXPECT_FALSE(metrics.logloss || metrics.accuracy || metrics.base_logloss || metrics.rmse ||
                 metrics.r2);
  }
}

}  // namespace
}  // namespace seraph
