// SPDX-License-Identifier: Apache-2.0
// The example jobs reach their reference results (examples/data/README.md).
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

TEST(GoldenTest, A9aLogisticRegression) {
  const v1::JobDone done = Trained(ExampleJob("a9a_lr", {}));
  EXPECT_GE(done.test().auc(), .9017);
  EXPECT_LE(done.test().logloss(), .3250);
}

TEST(GoldenTest, CensusLogisticRegressionFromTwoFormats) {
  const v1::JobDone done = Trained(ExampleJob("census_lr", {}));
  EXPECT_GE(done.test().auc(), .9163);
  EXPECT_LE(done.test().logloss(), .3035);
}

TEST(GoldenTest, CensusFactorisationMachine) {
  const v1::JobDone done = Trained(ExampleJob("census_fm", {}));
  EXPECT_GE(done.test().auc(), .9182);
  EXPECT_LE(done.test().logloss(), .3005);
}

TEST(GoldenTest, AgaricusLogisticRegression) {
  EXPECT_GE(Trained(ExampleJob("agaricus_lr", {})).test().auc(), .9999);
}

TEST(GoldenTest, AbaloneLinearRegressionOnItsTrainingRows) {
  EXPECT_GE(Trained(ExampleJob("abalone_linear", {})).test().r2(), .530);
}

TEST(GoldenTest, CensusFieldAwareMachineWithFieldsByRanges) {
  EXPECT_LE(Trained(ExampleJob("census_ffm", {})).test().logloss(), .2985);
}

TEST(GoldenTest, ClicksLogisticRegression) {
  EXPECT_GE(Trained(ExampleJob("clicks_lr", {})).test().auc(), .976);
}

TEST(GoldenTest, ClicksFieldAwareMachine) {
  EXPECT_LE(Trained(ExampleJob("clicks_ffm", {})).test().logloss(), .125);
}

TEST(GoldenTest, AdultLogisticRegressionFromCsv) {
  const v1::JobDone done = Trained(ExampleJob("adult_lr", {}));
  EXPECT_EQ(done.test().rows(), 6513u);
  EXPECT_GE(done.test().auc(), .905);
  EXPECT_LE(done.test().logloss(), .325);
}

TEST(GoldenTest, OptdigitsSoftmax) {
  const v1::JobDone done = Trained(ExampleJob("optdigits_softmax", {}));
  EXPECT_EQ(done.test().rows(), 1797u);
  EXPECT_GE(done.test().accuracy(), .940);
  EXPECT_LE(done.test().logloss(), .20);
  EXPECT_FALSE(done.test().has_auc());
}

TEST(GoldenTest, EachRowCountsOnceAnEpoch) {
  for (const char* mode : {"bsp", "ssp", "asp"}) {
    std::vector<v1::JobEvent> events;
    const v1::JobDone done = Trained(
        ExampleJob("census_lr",
                   {std::string("sync.mode=") + mode, "train.epochs=2", "cluster.workers=3"}),
        &events);
    EXPECT_EQ(done.rows_read(), 2u * 22792u) << mode;
    for (const v1::JobEvent& event : events) {
      if (!event.has_epoch()) continue;
      EXPECT_EQ(event.epoch().rows(), 22792u) << mode;
      EXPECT_EQ(event.epoch().test().rows(), 9769u) << mode;
    }
  }
}

TEST(GoldenTest, MetricsOfManyWorkersEqualThoseOfOne) {
  // A trained model goes through one epoch without learning: the same model whoever scores it.
  const v1::JobSpec trained = ExampleJob("census_lr", {"train.epochs=1"});
  Trained(trained);
  const auto run = [&trained](const char* workers) {
    return Trained(
               ExampleJob("census_lr", {"train.epochs=1", "optimizer.learning_rate=1e-30", workers,
                                        "train.start_from=" + trained.output().model()}))
        .test();
  };
  const v1::Metrics one = run("cluster.workers=1");
  const v1::Metrics four = run("cluster.workers=4");
  EXPECT_GT(one.auc(), .9);
  EXPECT_EQ(one.logloss(), four.logloss());
  EXPECT_EQ(one.auc(), four.auc());
  EXPECT_EQ(one.accuracy(), four.accuracy());
}

TEST(GoldenTest, GoingOnFromASavedModelEqualsNotStopping) {
  const v1::JobSpec whole = ExampleJob("census_lr", {"train.epochs=4", "sync.mode=bsp"});
  Trained(whole);
  const v1::JobSpec first = ExampleJob("census_lr", {"train.epochs=2", "sync.mode=bsp"});
  Trained(first);
  const v1::JobSpec second =
      ExampleJob("census_lr",
                 {"train.epochs=2", "sync.mode=bsp", "train.start_from=" + first.output().model()});
  Trained(second);
  EXPECT_EQ(ReadModelBits(second.output().model()), ReadModelBits(whole.output().model()));
}

}  // namespace
}  // namespace seraph
