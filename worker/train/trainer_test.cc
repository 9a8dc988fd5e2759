// SPDX-License-Identifier: Apache-2.0
#include "worker/train/trainer.h"

#include <fstream>

#include "absl/strings/str_cat.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/model/registry.h"
#include "worker/train/joint_batches.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

// A rank of its own group, with 100 rows of a line through the origin in batches of 30.
class TrainEpochTest : public ::testing::Test {
 protected:
  TrainEpochTest() {
    const std::string path = absl::StrCat(FreshFolder(), ".libsvm");
    std::ofstream out(path);
    for (int i = 0; i < 100; ++i) out << 2 * (i % 5) << " 1:" << i % 5 << "\n";
    out.close();
    data_ = DataSet::Open({{path, {"libsvm", 1}}}, {LabelMap::Regression(), {}, ""}).value();
    index_ = data_->BuildIndex().value();
    TableSpec spec;
    spec.name = "weights";
    spec.partitions = 4;
    spec.optimizer.learning_rate = 0.05;
    spec.sync.mode = SyncSpec::Mode::kBsp;
    tables_.push_back(client_->OpenOrCreateTable(spec).value());
    stepper_.emplace(model_.get(), backend_.get(), client_.get(), tables_);
  }

  absl::StatusOr<v1::TrainResult> Train(uint32_t epoch, uint64_t batch_size = 30) {
    JointBatches rows({data_.get(), &index_, 1, epoch, batch_size, 0, 1, /*hold_out=*/nullptr,
                       /*piece_rows=*/13});
    TrainEpochOptions options;
    options.epoch = epoch;
    return TrainEpoch(options, &rows, &*stepper_, client_.get(), cluster_.agent(), &clock_,
                      cancellation_);
  }

  SystemClock clock_;
  TestCluster cluster_{{.servers = 1}};
  std::unique_ptr<Client> client_ = cluster_.Connect("trainer");
  std::unique_ptr<Backend> backend_ = NewCpuBackend();
  std::unique_ptr<Model> model_ = NewModel({.type = "linear", .bias = false}).value();
  std::unique_ptr<DataSet> data_;
  DataIndex index_;
  std::vector<Table> tables_;
  std::optional<Stepper> stepper_;
  Cancellation cancellation_;
};

TEST_F(TrainEpochTest, CountsRowsStepsAndLoss) {
  auto first = Train(1);
  ASSERT_OK(first);
  EXPECT_EQ(first->rows(), 100u);
  EXPECT_EQ(first->steps(), 4u);  // 30, 30, 30, 10.
  EXPECT_GT(first->loss_sum(), 0);
  auto second = Train(2);
  ASSERT_OK(second);
  EXPECT_EQ(second->steps(), 8u);  // Of the client's whole life.
  EXPECT_LT(second->loss_sum(), first->loss_sum());
}

TEST_F(TrainEpochTest, AStepOfPiecesTakesTheMeanOfThemAll) {
  auto first = Train(1, 0);
  ASSERT_OK(first);
  EXPECT_EQ(first->rows(), 100u);
  EXPECT_EQ(first->steps(), 1u);
  EXPECT_DOUBLE_EQ(first->loss_sum(), 20 * 0.5 * (2 * 2 + 4 * 4 + 6 * 6 + 8 * 8));
  // The mean slope of the weight is -mean(2 i i) = -12, of which the rate takes 0.05.
  float weight = 0;
  const uint64_t key = 0;
  const PullSlice slice{&tables_[0], absl::MakeConstSpan(&key, 1), absl::MakeSpan(&weight, 1)};
  ASSERT_OK(client_->Pull({slice}));
  EXPECT_FLOAT_EQ(weight, 0.6f);
}

TEST_F(TrainEpochTest, ACancelledEpochEndsWithTheReason) {
  cancellation_.Cancel(absl::AbortedError("the job has ended: worker 1 left"));
  EXPECT_THAT(Train(1), StatusIs(absl::StatusCode::kAborted, HasSubstr("worker 1 left")));
}

TEST_F(TrainEpochTest, WhyTheGroupWasDroppedSaysMoreThanThatItWas) {
  ASSERT_OK(client_->DropGroup("gone", absl::Seconds(30)));
  EXPECT_THAT(Train(3), StatusIs(absl::StatusCode::kAborted, HasSubstr("epoch 3: ")));
}

}  // namespace
}  // namespace seraph
