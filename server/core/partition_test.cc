// SPDX-License-Identifier: Apache-2.0
#include "server/core/partition.h"

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "common/table_spec.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

// A partition of two ranks, whose pushes and commits the test orders.
class PartitionTest : public ::testing::TestWithParam<SyncSpec::Mode> {
 protected:
  void SetUp() override {
    auto table = std::make_shared<ServedTable>();
    table->workers = 2;
    table->spec.name = "weights";
    table->spec.partitions = 1;
    table->spec.optimizer.learning_rate = 1;
    table->spec.sync.mode = GetParam();
    table->spec.sync.reduce = SyncSpec::Reduce::kSum;
    table->optimizer = NewOptimizer(table->spec.optimizer).value();
    table->policy = NewConsistencyPolicy(table->spec.sync);
    partition_ = std::make_unique<Partition>(std::move(table), 0, &group_, &budget_);
  }
  absl::Status Push(uint32_t rank, int64_t clock, float value) {
    auto memory = std::make_shared<const std::pair<uint64_t, float>>(7, value);
    PartitionPush push;
    push.keys = absl::MakeConstSpan(&memory->first, 1);
    push.values = absl::MakeConstSpan(&memory->second, 1);
    push.memory = memory;
    return partition_->Push(rank, clock, std::move(push));
  }
  void Commit(uint32_t rank, int64_t clock) {
    group_.Commit(rank, clock, false);
    partition_->Fold({});
  }
  float Row() {
    float row = 0;
    EXPECT_OK(partition_->Read({7}, absl::MakeSpan(&row, 1)));
    return row;
  }

  GroupClock group_{2};
  MemoryBudget budget_{1 << 20};
  std::unique_ptr<Partition> partition_;
};

TEST_P(PartitionTest, APushThatItsOwnCommitHasOvertakenIsRefusedWithClockAndRank) {
  const auto refused = StatusIs(absl::StatusCode::kFailedPrecondition,
                                AllOf(HasSubstr("table weights"), HasSubstr("worker 0 at clock 0"),
                                      HasSubstr("is at clock 1")));
  ASSERT_OK(Push(0, 0, 1));
  ASSERT_OK(Push(1, 0, 2));
  Commit(0, 0);
  EXPECT_THAT(Push(0, 0, 64), refused);  // The step still lacks rank 1.
  Commit(1, 0);
  EXPECT_EQ(Row(), -3);
  EXPECT_THAT(Push(0, 0, 64), refused);  // The step is over.
  ASSERT_OK(Push(0, 1, 4));
  Commit(0, 1);
  Commit(1, 1);
  EXPECT_EQ(Row(), -7);
}

INSTANTIATE_TEST_SUITE_P(Modes, PartitionTest,
                         ::testing::Values(SyncSpec::Mode::kBsp, SyncSpec::Mode::kAsp));

}  // namespace
}  // namespace seraph
