// SPDX-License-Identifier: Apache-2.0
#include "worker/train/joint_batches.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

class JointBatchesTest : public ::testing::Test {
 protected:
  static constexpr int kRows = 2500;  // Three blocks, the last of another size.
  static constexpr uint64_t kPiece = 100;

  JointBatchesTest() {
    const std::string path = absl::StrCat(::testing::TempDir(), "/joint_batches.libsvm");
    std::ofstream out(path);
    for (int i = 0; i < kRows; ++i) out << i << " " << i + 1 << ":1\n";
    out.close();
    data_ = DataSet::Open({{path, {"libsvm", 1}}}, {LabelMap::Regression(), {}, ""}).value();
    index_ = data_->BuildIndex().value();
  }

  // Labels of each step's rows, of all ranks together; of one step where the batch size is 0.
  std::vector<std::multiset<float>> Steps(uint32_t workers, uint64_t batch_size, uint64_t epoch) {
    std::vector<std::multiset<float>> steps;
    for (uint32_t rank = 0; rank < workers; ++rank) {
      JointBatches rows(
          {data_.get(), &index_, 7, epoch, batch_size, rank, workers, hold_out_, kPiece});
      BatchBuilder batch;
      size_t step = 0;
      while (rows.NextBatch(&batch).value()) {
        if (steps.size() <= step) steps.resize(step + 1);
        steps[step].insert(batch.batch().labels.begin(), batch.batch().labels.end());
        if (batch_size == 0) {
          EXPECT_LE(batch.batch().rows(), kPiece);
        }
        if (rows.EndsStep()) ++step;
      }
      EXPECT_EQ(step, batch_size == 0 ? 1 : (kRows + batch_size - 1) / batch_size)
          << "rank " << rank;
    }
    return steps;
  }

  std::unique_ptr<DataSet> data_;
  DataIndex index_;
  const HoldOut* hold_out_ = nullptr;
};

TEST_F(JointBatchesTest, AStepHasTheSameRowsForAnyNumberOfWorkers) {
  const auto one = Steps(1, 300, 1);
  EXPECT_EQ(Steps(2, 300, 1), one);
  EXPECT_EQ(Steps(4, 300, 1), one);
  EXPECT_EQ(Steps(7, 300, 1), one);
}

TEST_F(JointBatchesTest, AnEpochHasEachRowOnce) {
  std::multiset<float> all;
  for (const auto& step : Steps(3, 300, 2)) all.insert(step.begin(), step.end());
  EXPECT_EQ(all.size(), static_cast<size_t>(kRows));
  EXPECT_EQ(std::set<float>(all.begin(), all.end()).size(), static_cast<size_t>(kRows));
}

TEST_F(JointBatchesTest, AStepOfAllRowsComesInPieces) {
  for (const uint32_t workers : {1u, 3u}) {
    const auto steps = Steps(workers, 0, 2);
    ASSERT_EQ(steps.size(), 1u);
    EXPECT_EQ(steps[0].size(), static_cast<size_t>(kRows));
    EXPECT_EQ(std::set<float>(steps[0].begin(), steps[0].end()).size(), static_cast<size_t>(kRows));
  }
}

TEST_F(JointBatchesTest, EveryRankTakesTheStepOfAllRowsAlsoWithoutAny) {
  EXPECT_EQ(Steps(3000, 0, 1).size(), 1u);
}

TEST_F(JointBatchesTest, RowsHeldOutAreHolesInTheSameSteps) {
  const HoldOut hold_out(index_, 0.2, 7);
  const auto all = Steps(2, 300, 1);
  hold_out_ = &hold_out;
  const auto kept = Steps(2, 300, 1);
  ASSERT_EQ(kept.size(), all.size());
  size_t rows = 0;
  for (size_t step = 0; step < all.size(); ++step) {
    EXPECT_TRUE(
        std::includes(all[step].begin(), all[step].end(), kept[step].begin(), kept[step].end()));
    rows += kept[step].size();
  }
  size_t held = 0;
  for (uint32_t b = 0; b < index_.blocks.size(); ++b) held += hold_out.RowsOf(b).size();
  EXPECT_GT(held, 0u);
  EXPECT_EQ(rows, static_cast<size_t>(kRows) - held);
}

TEST_F(JointBatchesTest, EpochsDiffer) { EXPECT_NE(Steps(1, 300, 1), Steps(1, 300, 2)); }

TEST_F(JointBatchesTest, ABatchSmallerThanTheWorkersLeavesSomeWithoutRows) {
  EXPECT_EQ(Steps(4, 2, 1).size(), 1250u);
}

}  // namespace
}  // namespace seraph
