// SPDX-License-Identifier: Apache-2.0
#include "server/core/group_sessions.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/consistency/policy.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

CoreSession At(uint32_t rank, int64_t clock) {
  return {.group = "g", .rank = rank, .clock = clock, .timeout = absl::Seconds(1)};
}
CoreCommit CommitAt(uint32_t rank, int64_t clock, bool idle = false) {
  return {.session = At(rank, clock), .rows = 1, .idle = idle};
}

TEST(GroupSessionsTest, ARankPushesAndCommitsAtItsOwnClockAlone) {
  GroupSessions group("g", 2);
  EXPECT_FALSE(group.AdmitPull(At(0, 0)).value());
  EXPECT_FALSE(group.AdmitPush(At(0, 0)).value());
  EXPECT_FALSE(group.AdmitCommit(CommitAt(0, 0)).value());
  EXPECT_THAT(group.AdmitPush(At(0, 0)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("at clock 0 by worker 0"), HasSubstr("is at clock 1"))));
  EXPECT_THAT(group.AdmitCommit(CommitAt(0, 2)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("commit at clock 2"), HasSubstr("is at clock 1"))));
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 1)));
}

TEST(GroupSessionsTest, ARepeatedCommitIsFineAndChangesNothing) {
  GroupSessions group("g", 1);
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 0)));
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 1)));
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 0)));
  EXPECT_EQ(group.slowest(), 2);
}

TEST(GroupSessionsTest, TheFirstRequestSaysWhereARankBegins) {
  GroupSessions group("g", 2);
  EXPECT_TRUE(group.AdmitPull(At(0, 9)).value());
  EXPECT_FALSE(group.AdmitPush(At(0, 9)).value());
  EXPECT_TRUE(group.AdmitCommit(CommitAt(1, 9)).value());
  EXPECT_EQ(group.slowest(), 9);
  EXPECT_THAT(group.AdmitPush(At(1, 9)),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("is at clock 10")));
}

TEST(GroupSessionsTest, AnIdleRankMayGoOnFurtherAheadByAPushOrACommit) {
  GroupSessions group("g", 2);
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 0, true)));
  EXPECT_FALSE(group.AdmitPull(At(0, 7)).value());
  EXPECT_TRUE(group.AdmitPush(At(0, 7)).value());
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 7, true)));
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 20)));
}

TEST(GroupSessionsTest, WrongRanksAndClocksAreNamed) {
  GroupSessions group("census-3", 2);
  EXPECT_THAT(group.AdmitPull(At(2, 0)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("worker 2: group census-3 has 2 workers")));
  EXPECT_THAT(group.AdmitPush(At(0, -1)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("clock -1")));
  EXPECT_THAT(group.AdmitCommit(CommitAt(0, std::numeric_limits<int64_t>::max())),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("out of range")));
}

TEST(GroupSessionsTest, NoRankIdlesBesideABspTable) {
  GroupSessions group("g", 2);
  ServedTable table;
  table.policy = NewConsistencyPolicy({.mode = SyncSpec::Mode::kBsp});
  group.AddTable(table);
  EXPECT_THAT(group.AdmitCommit(CommitAt(1, 0, true)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("worker 1")));
}

TEST(GroupSessionsTest, MeasuresStalenessAndKnowsWhomTheStepLacks) {
  GroupSessions group("g", 3);
  EXPECT_TRUE(group.IsLowestLacking(0));
  EXPECT_OK(group.AdmitCommit(CommitAt(0, 0)));
  EXPECT_OK(group.AdmitCommit(CommitAt(2, 0)));
  EXPECT_OK(group.AdmitCommit(CommitAt(2, 1)));
  EXPECT_EQ(group.Staleness(2), 2);
  EXPECT_EQ(group.Staleness(0), 0);
  EXPECT_FALSE(group.IsLowestLacking(0));
  EXPECT_TRUE(group.IsLowestLacking(1));
  EXPECT_FALSE(group.IsLowestLacking(2));
}

}  // namespace
}  // namespace seraph
