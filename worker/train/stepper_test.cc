// SPDX-License-Identifier: Apache-2.0
#include "worker/train/stepper.h"

#include <cmath>

#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/model/registry.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A model whose tables lie on a real server, learned by plain gradient descent.
class StepperTest : public ::testing::Test {
 protected:
  void Open(const std::string& type, SyncSpec sync, double learning_rate) {
    model_ = NewModel({.type = type, .factors = 2, .bias = true, .init_scale = 0.1}).value();
    client_ = cluster_.Connect("stepper");
    std::vector<Table> tables;
    for (const ModelTable& table : model_->tables()) {
      TableSpec spec;
      spec.name = table.name;
      spec.kind = table.kind;
      spec.dim = table.dim;
      spec.rows = table.rows;
      spec.partitions = 4;
      spec.initializer = table.initializer;
      spec.optimizer.learning_rate = learning_rate;
      spec.sync = sync;
      tables.push_back(client_->OpenOrCreateTable(spec).value());
    }
    stepper_.emplace(model_.get(), backend_.get(), client_.get(), tables);
  }
  static Batch Rows(const std::vector<std::pair<float, float>>& label_and_value) {
    BatchBuilder builder;
    for (const auto& [label, value] : label_and_value) {
      Row row;
      row.label = label;
      row.keys = {7};
      row.values = {value};
      builder.Add(row);
    }
    return builder.batch();
  }

  TestCluster cluster_{{.servers = 1}};
  std::unique_ptr<Backend> backend_ = NewCpuBackend();
  std::unique_ptr<Model> model_;
  std::unique_ptr<Client> client_;
  std::optional<Stepper> stepper_;
};

TEST_F(StepperTest, ARowCountsAsOftenAsItsWeightSays) {
  Open("linear", {}, 0.5);
  BatchBuilder builder;
  for (const float weight : {3.0f, 0.0f}) {
    builder.Add(
        {.label = weight == 0 ? 100.0f : 2.0f, .weight = weight, .keys = {7}, .values = {1}});
  }
  auto loss = stepper_->Learn(builder.batch());
  ASSERT_OK(loss);
  EXPECT_EQ(*loss, 3 * 2.0 * 2 / 2);  // All weights of the model are zero.
  // The sum of weighted slopes is -6, over two rows: each of bias and weight takes half of 3.
  EXPECT_THAT(stepper_->Score(Rows({{0, 1}})).value(), ::testing::ElementsAre(3.0f));
}

TEST_F(StepperTest, LearnsByTheMeanOfTheBatchAndReturnsTheLossBefore) {
  Open("linear", {}, 0.5);
  const Batch batch = Rows({{2, 1}, {4, 1}});
  auto loss = stepper_->Learn(batch);
  ASSERT_OK(loss);
  EXPECT_EQ(*loss, (2.0 * 2 + 4.0 * 4) / 2);  // All weights are zero.
  EXPECT_EQ(client_->clock(), 1);
  auto margins = stepper_->Score(batch);
  ASSERT_OK(margins);
  // Mean gradient -3 of bias and weight alike, half of it learned by each.
  EXPECT_FLOAT_EQ((*margins)[0], 3.0f);
  EXPECT_EQ(client_->clock(), 1);  // Scoring is outside any clock.
}

TEST_F(StepperTest, SumsWhereTheJobSaysSo) {
  SyncSpec sum;
  sum.reduce = SyncSpec::Reduce::kSum;
  Open("linear", sum, 0.25);
  const Batch batch = Rows({{2, 1}, {4, 1}});
  ASSERT_OK(stepper_->Learn(batch));
  EXPECT_FLOAT_EQ(stepper_->Score(batch).value()[0], 3.0f);
}

TEST_F(StepperTest, UnderBspTheServersTakeTheMean) {
  SyncSpec bsp;
  bsp.mode = SyncSpec::Mode::kBsp;
  Open("linear", bsp, 0.5);
  const Batch batch = Rows({{2, 1}, {4, 1}});
  ASSERT_OK(stepper_->Learn(batch));
  EXPECT_FLOAT_EQ(stepper_->Score(batch).value()[0], 3.0f);
}

TEST_F(StepperTest, AnEmptyBatchCommitsAndChangesNothing) {
  Open("lr", {}, 0.5);
  auto loss = stepper_->Learn(Batch());
  ASSERT_OK(loss);
  EXPECT_EQ(*loss, 0.0);
  EXPECT_EQ(client_->clock(), 1);
  EXPECT_EQ(stepper_->Score(Rows({{1, 1}})).value()[0], 0.0f);
}

TEST_F(StepperTest, DivergenceNamesStepAndTable) {
  Open("linear", {}, 0.5);
  ASSERT_OK(stepper_->Learn(Rows({{1, 1}})));
  // The gradient of the weight is error times value: beyond what a float holds.
  const auto diverged = stepper_->Learn(Rows({{3e38f, 1e30f}}));
  EXPECT_THAT(diverged,
              StatusIs(absl::StatusCode::kAborted, AllOf(HasSubstr("training diverged at step 1"),
                                                         HasSubstr("gradients of table weights"))));
  EXPECT_EQ(client_->clock(), 1);
}

TEST_F(StepperTest, ScoresThatAreNotFiniteAreAnError) {
  Open("linear", {}, 0.5);
  ASSERT_OK(stepper_->Learn(Rows({{1e30f, 1}})));
  EXPECT_THAT(stepper_->Score(Rows({{1, 3e38f}})),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("no scores can be computed")));
}

TEST_F(StepperTest, PredictionsThatAreNotFiniteAreAnError) {
  Open("poisson", {}, 0.5);
  ASSERT_OK(stepper_->Learn(Rows({{3, 1}})));
  EXPECT_THAT(stepper_->Score(Rows({{1, 1}})).value(), ::testing::ElementsAre(2.0f));
  EXPECT_THAT(stepper_->Score(Rows({{1, 1000}})),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("no scores can be computed")));
}

TEST_F(StepperTest, ExponentialsTooLargeAreDivergence) {
  Open("poisson", {}, 0.5);
  ASSERT_OK(stepper_->Learn(Rows({{3, 1}})));
  EXPECT_THAT(stepper_->Learn(Rows({{1, 1000}})),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("training diverged at step 1")));
}

TEST_F(StepperTest, TablesOfFieldPairsAreLearned) {
  Open("ffm", {}, 0.5);
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {7, 8}, .values = {1, 1}, .fields = {0, 99999}});
  builder.Add({.label = 0, .keys = {7, 8}, .values = {-1, 1}, .fields = {0, 99999}});
  const double first = stepper_->Learn(builder.batch()).value();
  for (int i = 0; i < 20; ++i) ASSERT_OK(stepper_->Learn(builder.batch()));
  EXPECT_LT(stepper_->Learn(builder.batch()).value(), first / 2);
}

TEST_F(StepperTest, AModelOfFieldsRefusesRowsWithoutThem) {
  Open("ffm", {}, 0.5);
  const auto refuses = StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("needs fields"));
  EXPECT_THAT(stepper_->Learn(Rows({{1, 1}})), refuses);
  EXPECT_THAT(stepper_->Score(Rows({{1, 1}})), refuses);
}

TEST_F(StepperTest, SeveralOutputsHaveAMarginEach) {
  Open("softmax", {}, 0.5);
  const Batch batch = Rows({{1, 2}, {0, 0}});
  auto loss = stepper_->Learn(batch);
  ASSERT_OK(loss);
  EXPECT_NEAR(*loss, 2 * std::log(2.0), 1e-12);
  // Half of the gradients' means: biases stay, weights move by 2 (1 - 0.5) / 2 / 2.
  EXPECT_THAT(stepper_->Score(batch).value(), ::testing::ElementsAre(-0.5f, 0.5f, 0.0f, 0.0f));
}

}  // namespace
}  // namespace seraph
