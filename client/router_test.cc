// SPDX-License-Identifier: Apache-2.0
#include "client/router.h"

#include <set>

#include "common/partitioning.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class RouterTest : public ::testing::Test {
 protected:
  RouterTest() {
    spec_.name = "weights";
    spec_.partitions = 8;
    owner_ = {0, 0, 0, 1, 1, 1, 2, 2};
  }
  RouteSlice Slice(const std::vector<uint64_t>& keys) { return {{&spec_, owner_}, keys}; }

  TableSpec spec_;
  std::vector<uint32_t> owner_;
  RoutePlan plan_;
};

TEST_F(RouterTest, NoKeysMakeNoFrames) {
  const std::vector<uint64_t> none;
  ASSERT_OK(RouteKeys({Slice(none)}, 1 << 20, &plan_));
  EXPECT_TRUE(plan_.frames.empty());
}

TEST_F(RouterTest, EveryKeyGoesOnceToTheOwnerOfItsPartition) {
  SplitMix64 random(1);
  std::vector<uint64_t> keys(1000);
  for (uint64_t& key : keys) key = random.Next();
  keys[5] = 0;
  keys[6] = ~uint64_t{0};
  keys[7] = keys[5];  // A repeat is a key like any other here.
  ASSERT_OK(RouteKeys({Slice(keys)}, 1 << 20, &plan_));
  std::multiset<uint32_t> seen;
  for (const RouteFrame& frame : plan_.frames) {
    for (const RouteSegment& segment : frame.segments) {
      EXPECT_EQ(owner_[segment.partition], frame.server);
      for (uint32_t i = segment.begin; i < segment.end; ++i) {
        const uint32_t place = plan_.order[0][i];
        EXPECT_EQ(PartitionOf(spec_, keys[place]), segment.partition);
        seen.insert(place);
      }
    }
  }
  EXPECT_EQ(seen.size(), keys.size());
  EXPECT_EQ(std::set<uint32_t>(seen.begin(), seen.end()).size(), keys.size());
}

TEST_F(RouterTest, FramesStayWithinTheirBytes) {
  spec_.dim = 4;  // 24 bytes a key
  std::vector<uint64_t> keys(1000);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  ASSERT_OK(RouteKeys({Slice(keys)}, 240, &plan_));
  size_t total = 0;
  for (const RouteFrame& frame : plan_.frames) {
    size_t count = 0;
    for (const RouteSegment& segment : frame.segments) count += segment.end - segment.begin;
    EXPECT_LE(count, 10u);
    EXPECT_GE(count, 1u);
    total += count;
  }
  EXPECT_EQ(total, keys.size());
}

TEST_F(RouterTest, ARowLargerThanAFrameStillTravels) {
  spec_.dim = 4096;
  const std::vector<uint64_t> keys = {3, 4};
  ASSERT_OK(RouteKeys({Slice(keys)}, 64, &plan_));
  EXPECT_EQ(plan_.frames.size(), 2u);
}

TEST_F(RouterTest, ADenseKeyOutsideTheTableIsNamed) {
  spec_.kind = TableKind::kDense;
  spec_.rows = 10;
  const std::vector<uint64_t> keys = {9, 10};
  EXPECT_THAT(
      RouteKeys({Slice(keys)}, 1 << 20, &plan_),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("key 10 is outside its 10 rows")));
}

TEST_F(RouterTest, TenDenseRowsOverThreeServersAllFindAHome) {
  spec_.kind = TableKind::kDense;
  spec_.rows = 10;
  std::vector<uint64_t> keys = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0};
  ASSERT_OK(RouteKeys({Slice(keys)}, 1 << 20, &plan_));
  size_t total = 0;
  for (const RouteFrame& frame : plan_.frames) {
    for (const RouteSegment& segment : frame.segments) total += segment.end - segment.begin;
  }
  EXPECT_EQ(total, 10u);
}

TEST(MergeRepeatsTest, DistinctKeysAreLeftAlone) {
  std::vector<uint64_t> unique;
  std::vector<float> sums;
  EXPECT_FALSE(MergeRepeats(Repeats::kSum, {1, 2, 3}, {1, 2, 3}, 1, &unique, &sums));
}

TEST(MergeRepeatsTest, RepeatsBecomeOneSum) {
  std::vector<uint64_t> unique;
  std::vector<float> sums;
  ASSERT_TRUE(
      MergeRepeats(Repeats::kSum, {7, 9, 7, 7}, {1, 10, 2, 20, 4, 40, 8, 80}, 2, &unique, &sums));
  EXPECT_THAT(unique, ElementsAre(7, 9));
  EXPECT_THAT(sums, ElementsAre(13, 130, 2, 20));
}

TEST(MergeRepeatsTest, OfRepeatsInAnAssignTheLastIsKept) {
  std::vector<uint64_t> unique;
  std::vector<float> last;
  ASSERT_TRUE(MergeRepeats(Repeats::kLast, {7, 9, 7}, {1, 10, 2, 20, 4, 40}, 2, &unique, &last));
  EXPECT_THAT(unique, ElementsAre(7, 9));
  EXPECT_THAT(last, ElementsAre(4, 40, 2, 20));
}

}  // namespace
}  // namespace seraph
