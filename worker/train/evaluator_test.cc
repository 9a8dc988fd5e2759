// SPDX-License-Identifier: Apache-2.0
#include "worker/train/evaluator.h"

#include <fstream>
#include <map>

#include "absl/strings/str_cat.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/data/block_cutter.h"
#include "worker/model/registry.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kRows = 5 * kBlockRows;  // Of short lines: five blocks.

// A model of one weight, whose margin is the value of key 1: -2..2, labels by its sign but for 0.
class EvaluateBlocksTest : public ::testing::Test {
 protected:
  EvaluateBlocksTest() {
    const std::string path = absl::StrCat(FreshFolder(), ".libsvm");
    std::ofstream out(path);
    for (uint32_t i = 0; i < kRows; ++i) {
      const int value = static_cast<int>(i % 5) - 2;
      out << (value > 0 || (value == 0 && i % 2 == 0) ? 1 : 0) << " 1:" << value << "\n";
    }
    out.close();
    data_ = DataSet::Open({{path, {"libsvm", 1}}}, {LabelMap::Binary(), {}, ""}).value();
    index_ = data_->BuildIndex().value();
    TableSpec spec;
    spec.name = "weights";
    spec.partitions = 4;
    tables_.push_back(client_->OpenOrCreateTable(spec).value());
    const uint64_t key = 0;
    const float one = 1;
    const PushSlice slice{&tables_[0], absl::MakeConstSpan(&key, 1), absl::MakeConstSpan(&one, 1)};
    EXPECT_OK(client_->Push(PushKind::kAssign, {slice}));
    stepper_.emplace(model_.get(), backend_.get(), client_.get(), tables_);
  }
  absl::StatusOr<v1::EvaluateResult> Evaluate(uint32_t first_block, uint32_t stride,
                                              const HoldOut* only = nullptr) {
    return EvaluateBlocks({{}, 1, first_block, stride, "", only}, *data_, index_, *model_,
                          &*stepper_, cluster_.agent(), cancellation_);
  }

  TestCluster cluster_{{.servers = 1}};
  std::unique_ptr<Client> client_ = cluster_.Connect("evaluator");
  std::unique_ptr<Backend> backend_ = NewCpuBackend();
  std::unique_ptr<Model> model_ = NewModel({.type = "lr", .bias = false}).value();
  std::unique_ptr<DataSet> data_;
  DataIndex index_;
  std::vector<Table> tables_;
  std::optional<Stepper> stepper_;
  Cancellation cancellation_;
};

TEST_F(EvaluateBlocksTest, RanksShareTheBlocks) {
  ASSERT_EQ(index_.blocks.size(), 5u);
  std::vector<uint32_t> blocks[2];
  uint64_t rows = 0, correct = 0, positives = 0;
  for (uint32_t rank : {0, 1}) {
    auto result = Evaluate(rank, 2);
    ASSERT_OK(result);
    for (const v1::BlockSums& sums : result->blocks()) {
      blocks[rank].push_back(sums.block());
      rows += sums.rows();
      correct += sums.correct();
      positives += static_cast<uint64_t>(sums.label());
    }
  }
  EXPECT_THAT(blocks[0], ElementsAre(0, 2, 4));
  EXPECT_THAT(blocks[1], ElementsAre(1, 3));
  EXPECT_EQ(rows, kRows);
  EXPECT_EQ(positives, kRows / 2);
  EXPECT_EQ(correct, kRows - kRows / 10);  // Zero margins count as negative.
}

TEST_F(EvaluateBlocksTest, EqualScoresAreOneEntryOfTheRun) {
  auto result = Evaluate(0, 1);
  ASSERT_OK(result);
  EXPECT_THAT(result->run().score(), ElementsAre(-2, -1, 0, 1, 2));
  const uint64_t each = kRows / 5;
  EXPECT_THAT(result->run().positives(), ElementsAre(0, 0, each / 2, each, each));
  EXPECT_THAT(result->run().negatives(), ElementsAre(each, each, each / 2, 0, 0));
}

TEST_F(EvaluateBlocksTest, MoreRanksThanBlocksLeaveSomeWithoutWork) {
  auto result = Evaluate(7, 8);
  ASSERT_OK(result);
  EXPECT_EQ(result->blocks_size(), 0);
  EXPECT_EQ(result->run().score_size(), 0);
}

TEST_F(EvaluateBlocksTest, OnlyTheRowsHeldOutAreScored) {
  const HoldOut few(index_, 0.1, 7);
  auto result = Evaluate(0, 1, &few);
  ASSERT_OK(result);
  ASSERT_EQ(result->blocks_size(), 5);
  uint64_t rows = 0;
  for (uint32_t b = 0; b < 5; ++b) {
    EXPECT_EQ(result->blocks(static_cast<int>(b)).rows(), few.RowsOf(b).size());
    rows += few.RowsOf(b).size();
  }
  EXPECT_GT(rows, 0u);
  uint64_t scores = 0;
  for (const uint64_t count : result->run().positives()) scores += count;
  for (const uint64_t count : result->run().negatives()) scores += count;
  EXPECT_EQ(scores, rows);
}

TEST_F(EvaluateBlocksTest, BlocksWithoutRowsHeldOutHaveEmptySums) {
  const HoldOut none(index_, 0, 7);
  auto result = Evaluate(0, 1, &none);
  ASSERT_OK(result);
  ASSERT_EQ(result->blocks_size(), 5);
  for (const v1::BlockSums& sums : result->blocks()) EXPECT_EQ(sums.rows(), 0u);
  EXPECT_EQ(result->run().score_size(), 0);
}

TEST_F(EvaluateBlocksTest, ACancelledTaskEndsWithTheReason) {
  cancellation_.Cancel(absl::AbortedError("the job has ended"));
  EXPECT_THAT(Evaluate(0, 1), StatusIs(absl::StatusCode::kAborted, HasSubstr("the job has ended")));
}

}  // namespace
}  // namespace seraph
