// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/group_clock.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(GroupClockTest, TheSlowestRankIsTheGroupsClock) {
  GroupClock group(3);
  EXPECT_EQ(group.slowest(), 0);
  EXPECT_TRUE(group.Commit(0, 0, false));
  EXPECT_TRUE(group.Commit(2, 0, false));
  EXPECT_EQ(group.slowest(), 0);
  EXPECT_THAT(group.Behind(1), ElementsAre(1));
  EXPECT_TRUE(group.Commit(1, 0, false));
  EXPECT_EQ(group.slowest(), 1);
  EXPECT_THAT(group.Behind(1), IsEmpty());
}

TEST(GroupClockTest, AnOldCommitChangesNothing) {
  GroupClock group(1);
  group.Commit(0, 0, false);
  group.Commit(0, 1, false);
  EXPECT_FALSE(group.Commit(0, 0, false));
  EXPECT_EQ(group.clock(0), 2);
}

TEST(GroupClockTest, NobodyWaitsForAnIdleRankUntilItsNextCommitWhichMayJump) {
  GroupClock group(3);
  group.Commit(0, 0, true);
  group.Commit(1, 0, false);
  group.Commit(1, 1, false);
  group.Commit(2, 0, false);
  EXPECT_THAT(group.Behind(2), ElementsAre(2));
  group.Commit(0, 4, false);
  EXPECT_EQ(group.clock(0), 5);
  EXPECT_THAT(group.Behind(6), ElementsAre(0, 1, 2));
}

TEST(GroupClockTest, WhenAllAreIdleAllGoOnFromTheLargestClock) {
  GroupClock group(2);
  for (int64_t c = 0; c < 5; ++c) group.Commit(0, c, c == 4);
  group.Commit(1, 0, true);
  EXPECT_EQ(group.clock(1), 5);
  EXPECT_FALSE(group.idle(0));
  EXPECT_FALSE(group.idle(1));
  EXPECT_EQ(group.slowest(), 5);
  EXPECT_THAT(group.Behind(6), ElementsAre(0, 1));
}

TEST(GroupClockTest, ARankMovesForwardAlone) {
  GroupClock group(2);
  group.MoveTo(0, 7);
  group.MoveTo(0, 3);
  EXPECT_EQ(group.clock(0), 7);
  EXPECT_EQ(group.slowest(), 0);
}

TEST(GroupClockTest, ReplicasThatSawTheSameCommitsInAnotherOrderAgree) {
  GroupClock a(2), b(2);
  a.Commit(0, 0, true);
  a.Commit(1, 0, false);
  a.Commit(1, 1, true);
  b.Commit(1, 0, false);
  b.Commit(1, 1, true);
  b.Commit(0, 0, true);
  EXPECT_EQ(a.clock(0), b.clock(0));
  EXPECT_EQ(a.clock(1), b.clock(1));
  EXPECT_EQ(a.slowest(), 2);
}

}  // namespace
}  // namespace seraph
