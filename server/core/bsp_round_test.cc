// SPDX-License-Identifier: Apache-2.0
#include "server/core/bsp_round.h"

#include <atomic>
#include <limits>
#include <memory>
#include <vector>

#include "common/table_spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/optimizer/optimizer.h"
#include "server/table/partition_store.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

class BspRoundTest : public ::testing::Test {
 protected:
  BspRoundTest() {
    spec_.name = "weights";
    spec_.partitions = 1;
    spec_.optimizer.type = "sgd";
    spec_.optimizer.learning_rate = 1;
    optimizer_ = NewOptimizer(spec_.optimizer).value();
    store_ = NewPartitionStore({.spec = spec_, .partition = 0, .optimizer = optimizer_.get()});
  }

  // A push of one row, whose memory lives in the push.
  PartitionPush Row(CorePushKind kind, uint64_t key, float value, uint64_t sequence = 0) {
    struct Memory {
      uint64_t key;
      float value;
    };
    auto memory = std::make_shared<Memory>(Memory{key, value});
    PartitionPush push;
    push.kind = kind;
    push.sequence = sequence;
    push.keys = absl::MakeConstSpan(&memory->key, 1);
    push.values = absl::MakeConstSpan(&memory->value, 1);
    push.memory = memory;
    return push;
  }
  float Value(uint64_t key) {
    float value = 0;
    EXPECT_OK(store_->Gather({key}, absl::MakeSpan(&value, 1)));
    return value;
  }
  absl::Status FoldAll(BspRound* round, double divisor) {
    while (!round->complete()) round->FoldNextRank();
    return round->Apply("weights", divisor, 1.0f, store_.get());
  }

  TableSpec spec_;
  std::unique_ptr<Optimizer> optimizer_;
  std::unique_ptr<PartitionStore> store_;
};

TEST_F(BspRoundTest, GradientsAreSummedDividedAndAppliedOnce) {
  BspRound round(1, 2);
  round.Park(1, Row(CorePushKind::kGradient, 7, 3));
  round.Park(0, Row(CorePushKind::kGradient, 7, 5));
  ASSERT_OK(FoldAll(&round, 4));
  EXPECT_EQ(Value(7), -2);
}

TEST_F(BspRoundTest, AddsFollowTheGradientUndividedAndAssignsComeLast) {
  BspRound round(1, 2);
  round.Park(0, Row(CorePushKind::kAssign, 1, 100));
  round.Park(1, Row(CorePushKind::kAdd, 1, 8));
  round.Park(1, Row(CorePushKind::kAdd, 2, 8));
  round.Park(0, Row(CorePushKind::kGradient, 2, 4));
  ASSERT_OK(FoldAll(&round, 4));
  EXPECT_EQ(Value(1), 100);
  EXPECT_EQ(Value(2), 7);
}

TEST_F(BspRoundTest, OfSeveralAssignsTheHighestRankHoldsWhateverCameFirst) {
  BspRound round(1, 3);
  round.Park(2, Row(CorePushKind::kAssign, 1, 2));
  round.Park(0, Row(CorePushKind::kAssign, 1, 10));
  round.Park(1, Row(CorePushKind::kAssign, 1, 11));
  ASSERT_OK(FoldAll(&round, 1));
  EXPECT_EQ(Value(1), 2);
}

TEST_F(BspRoundTest, ARanksPushesFoldInOrderOfTheirNumbersNotOfTheirArrival) {
  BspRound round(1, 1);
  round.Park(0, Row(CorePushKind::kAssign, 1, 30, 3));
  round.Park(0, Row(CorePushKind::kAssign, 1, 10, 1));
  round.Park(0, Row(CorePushKind::kAssign, 1, 20, 2));
  ASSERT_OK(FoldAll(&round, 1));
  EXPECT_EQ(Value(1), 30);
}

TEST_F(BspRoundTest, SumsKeepWhatTheyNeedOfThePushesBytesAndGiveAllBackInTheEnd) {
  MemoryBudget budget(1000);
  std::atomic<int64_t> parked{0};
  const int64_t row = SumBytes(1, 1);
  {
    BspRound round(1, 2);
    for (uint32_t rank = 0; rank < 2; ++rank) {
      for (const uint64_t key : {uint64_t{5}, uint64_t{6} + rank}) {
        ASSERT_TRUE(budget.TryTake(row));
        PartitionPush push = Row(CorePushKind::kGradient, key, 1);
        push.share = BudgetShare(&budget, &parked, row);
        round.Park(rank, std::move(push));
      }
    }
    EXPECT_EQ(budget.used(), 4 * row);
    EXPECT_EQ(parked, 4 * row);
    round.FoldNextRank();
    EXPECT_EQ(budget.used(), 4 * row);
    round.FoldNextRank();
    EXPECT_EQ(budget.used(), 3 * row);  // Keys 5, 6 and 7.
    EXPECT_EQ(parked, 3 * row);
  }
  EXPECT_EQ(budget.used(), 0);
  EXPECT_EQ(parked, 0);
}

TEST_F(BspRoundTest, ASumThatIsNotFiniteChangesNothingAndNamesTheKey) {
  BspRound round(1, 2);
  const float largest = std::numeric_limits<float>::max();
  round.Park(0, Row(CorePushKind::kGradient, 5, largest));
  round.Park(1, Row(CorePushKind::kGradient, 5, largest));
  round.Park(1, Row(CorePushKind::kGradient, 6, 1));
  EXPECT_THAT(FoldAll(&round, 1), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("key 5")));
  EXPECT_EQ(store_->rows(), 0u);
}

TEST_F(BspRoundTest, ARoundWithoutPushesChangesNothing) {
  BspRound round(1, 2);
  ASSERT_OK(FoldAll(&round, 1));
  EXPECT_EQ(store_->rows(), 0u);
}

}  // namespace
}  // namespace seraph
