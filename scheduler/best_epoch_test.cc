// SPDX-License-Identifier: Apache-2.0
#include "scheduler/best_epoch.h"

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

Score Logloss(double value) {
  Score score;
  score.metrics.rows = 5;
  score.metrics.logloss = value;
  return score;
}

TEST(BestEpochTest, TheLeastLoglossIsTheBest) {
  BestEpoch best({Metric::kLogloss, 2});
  EXPECT_TRUE(best.Take(1, Logloss(0.5)).value());
  EXPECT_TRUE(best.Take(2, Logloss(0.4)).value());
  EXPECT_FALSE(best.Take(3, Logloss(0.4)).value());  // No better is worse than the earlier.
  EXPECT_FALSE(best.Exhausted(3));
  EXPECT_TRUE(best.Take(4, Logloss(0.3)).value());
  EXPECT_FALSE(best.Take(5, Logloss(0.9)).value());
  EXPECT_FALSE(best.Take(6, Logloss(0.8)).value());
  EXPECT_TRUE(best.Exhausted(6));
  EXPECT_EQ(best.epoch(), 4u);
}

TEST(BestEpochTest, OfOthersTheMostIs) {
  for (const Metric metric : {Metric::kAuc, Metric::kAccuracy, Metric::kR2}) {
    BestEpoch best({metric, 1});
    Score score;
    score.auc = score.metrics.accuracy = score.metrics.r2 = -0.5;
    EXPECT_TRUE(best.Take(1, score).value()) << MetricName(metric);
    score.auc = score.metrics.accuracy = score.metrics.r2 = 0.25;
    EXPECT_TRUE(best.Take(2, score).value()) << MetricName(metric);
    score.auc = score.metrics.accuracy = score.metrics.r2 = 0.125;
    EXPECT_FALSE(best.Take(3, score).value()) << MetricName(metric);
    EXPECT_EQ(best.epoch(), 2u) << MetricName(metric);
  }
}

TEST(BestEpochTest, AMetricThatTheRowsDoNotHaveIsAnError) {
  BestEpoch best({Metric::kAuc, 1});
  EXPECT_THAT(best.Take(1, Logloss(0.5)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("early_stop.metric: epoch 1 has no auc of the 5 rows")));
}

}  // namespace
}  // namespace seraph
