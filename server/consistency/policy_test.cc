// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/policy.h"

#include <limits>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "server/consistency/asp.h"
#include "server/consistency/bsp.h"
#include "server/consistency/ssp.h"
#include "tests/contract/consistency_contract.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;

INSTANTIATE_TEST_SUITE_P(Bsp, ConsistencyContractTest,
                         ::testing::Values(SyncSpec{.mode = SyncSpec::Mode::kBsp}));
INSTANTIATE_TEST_SUITE_P(Ssp, ConsistencyContractTest,
                         ::testing::Values(SyncSpec{.mode = SyncSpec::Mode::kSsp, .staleness = 0},
                                           SyncSpec{.mode = SyncSpec::Mode::kSsp, .staleness = 1},
                                           SyncSpec{.mode = SyncSpec::Mode::kSsp, .staleness = 4}));
INSTANTIATE_TEST_SUITE_P(Asp, ConsistencyContractTest,
                         ::testing::Values(SyncSpec{.mode = SyncSpec::Mode::kAsp}));

TEST(BspPolicyTest, APullWaitsForEveryRankOfTheStepsBelow) {
  const auto policy = NewBspPolicy();
  GroupClock group(3);
  EXPECT_TRUE(policy->MayPull(group, 0));
  group.Commit(1, 0, false);
  EXPECT_THAT(policy->WaitsFor(group, 1), ElementsAre(0, 2));
  EXPECT_TRUE(policy->ParksPushes());
}

TEST(SspPolicyTest, APullParksExactlyPastTheBound) {
  const auto policy = NewSspPolicy(4);
  GroupClock group(2);
  for (int64_t c = 0; c <= 4; ++c) EXPECT_TRUE(policy->MayPull(group, c)) << c;
  EXPECT_THAT(policy->WaitsFor(group, 5), ElementsAre(0, 1));
  group.Commit(0, 0, false);
  EXPECT_THAT(policy->WaitsFor(group, 5), ElementsAre(1));
  group.Commit(1, 0, false);
  EXPECT_TRUE(policy->MayPull(group, 5));
  EXPECT_FALSE(policy->MayPull(group, 6));
  EXPECT_FALSE(policy->ParksPushes());
}

TEST(SspPolicyTest, ABoundBeyondEveryClockIsNoBound) {
  const auto policy = NewSspPolicy(std::numeric_limits<int64_t>::max());
  EXPECT_TRUE(policy->MayPull(GroupClock(2), std::numeric_limits<int64_t>::max()));
}

TEST(AspPolicyTest, NobodyWaits) {
  const auto policy = NewAspPolicy();
  EXPECT_TRUE(policy->MayPull(GroupClock(2), 1000000));
  EXPECT_FALSE(policy->ParksPushes());
}

}  // namespace
}  // namespace seraph
