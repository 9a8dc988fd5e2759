// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/consistency_contract.h"

#include <memory>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "server/consistency/group_clock.h"
#include "server/consistency/policy.h"

namespace seraph {
namespace {

using ::testing::IsEmpty;
using ::testing::Not;

constexpr int64_t kSteps = 40;

TEST_P(ConsistencyContractTest, TheFirstStepWaitsForNobody) {
  EXPECT_TRUE(NewConsistencyPolicy(GetParam())->MayPull(GroupClock(4), 0));
}

TEST_P(ConsistencyContractTest, AGroupOfOneNeverWaits) {
  const auto policy = NewConsistencyPolicy(GetParam());
  GroupClock group(1);
  for (int64_t c = 0; c < kSteps; ++c) {
    EXPECT_TRUE(policy->MayPull(group, c)) << c;
    group.Commit(0, c, false);
  }
}

TEST_P(ConsistencyContractTest, APullRunsOnceEveryRankHasReachedItsClock) {
  const auto policy = NewConsistencyPolicy(GetParam());
  GroupClock group(3);
  for (int64_t c = 0; c < kSteps; ++c) {
    for (uint32_t rank : {2u, 0u, 1u}) group.Commit(rank, c, false);
    EXPECT_TRUE(policy->MayPull(group, c + 1)) << c;
  }
}

// Along seeded random runs of four ranks, one of which stops and one of which idles.
TEST_P(ConsistencyContractTest, WaitsAreNamedOnlyForThoseBehindAndEndForGood) {
  const auto policy = NewConsistencyPolicy(GetParam());
  for (uint64_t seed = 0; seed < 6; ++seed) {
    SplitMix64 random(seed);
    GroupClock group(4);
    std::vector<bool> might(kSteps, false);
    for (int64_t i = 0; i < 4 * kSteps; ++i) {
      const auto rank = static_cast<uint32_t>(random.NextBelow(4));
      if (rank == 3 && i >= 2 * kSteps) continue;
      group.Commit(rank, group.clock(rank), i == kSteps && rank == 2);
      for (int64_t c = 0; c < kSteps; ++c) {
        const std::vector<uint32_t> waits = policy->WaitsFor(group, c);
        ASSERT_EQ(waits.empty(), policy->MayPull(group, c));
        // A rank that comes back from idling may make others wait again; all others never do.
        if (might[c] && !waits.empty()) {
          ASSERT_THAT(waits, ::testing::ElementsAre(2));
        }
        might[c] = might[c] || waits.empty();
        for (uint32_t waited : waits) {
          ASSERT_FALSE(group.idle(waited));
          ASSERT_LT(group.clock(waited), c);
        }
      }
    }
  }
}

TEST_P(ConsistencyContractTest, ModesThatParkPushesLetNoPullOvertakeTheFold) {
  const auto policy = NewConsistencyPolicy(GetParam());
  GroupClock group(2);
  group.Commit(0, 0, false);
  EXPECT_THAT(policy->WaitsFor(group, 0), IsEmpty());  // Nothing comes before the first clock.
  if (policy->ParksPushes()) {
    EXPECT_THAT(policy->WaitsFor(group, 1), Not(IsEmpty()));
  }
}

}  // namespace

// Instantiated where the modes are.
GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(ConsistencyContractTest);

}  // namespace seraph
