// SPDX-License-Identifier: Apache-2.0
#include "common/random.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include "gtest/gtest.h"

namespace seraph {
namespace {

// The reference implementation's numbers: runs must repeat on every machine and in every version.
TEST(SplitMix64Test, GivesTheReferenceSequence) {
  SplitMix64 random(1234567);
  for (const uint64_t expected : {6457827717110365317u, 3203168211198807973u, 9817491932198370423u,
                                  4593380528125082431u, 16408922859458223821u}) {
    EXPECT_EQ(random.Next(), expected);
  }
}

TEST(SplitMix64Test, CopiesContinueTheSameSequence) {
  SplitMix64 one(7);
  one.Next();
  SplitMix64 two = one;
  for (int i = 0; i < 10; ++i) EXPECT_EQ(one.Next(), two.Next());
}

TEST(SplitMix64Test, UnitNumbersLieInTheHalfOpenIntervalWithTheRightMean) {
  SplitMix64 random(1);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double unit = random.NextUnit();
    ASSERT_GE(unit, 0);
    ASSERT_LT(unit, 1);
    sum += unit;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);  // Five standard errors.
  EXPECT_LT(ToUnit(~uint64_t{0}), 1);
}

TEST(SplitMix64Test, NumbersBelowNAreEvenlySpread) {
  SplitMix64 random(2);
  std::vector<int> count(7);
  for (int i = 0; i < 70000; ++i) ++count.at(random.NextBelow(7));
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
  EXPECT_EQ(random.NextBelow(1), 0u);
}

TEST(SplitMix64Test, ShuffleIsAPermutationThatTheSeedFixes) {
  std::vector<int> one(100), two(100);
  std::iota(one.begin(), one.end(), 0);
  two = one;
  const std::vector<int> sorted = one;
  SplitMix64(3).Shuffle(absl::MakeSpan(one));
  SplitMix64(3).Shuffle(absl::MakeSpan(two));
  EXPECT_EQ(one, two);
  EXPECT_NE(one, sorted);
  std::sort(one.begin(), one.end());
  EXPECT_EQ(one, sorted);
}

TEST(SplitMix64Test, ShuffleTakesEmptyAndSingle) {
  std::vector<int> none, single = {5};
  SplitMix64(1).Shuffle(absl::MakeSpan(none));
  SplitMix64(1).Shuffle(absl::MakeSpan(single));
  EXPECT_EQ(single, std::vector<int>{5});
}

TEST(SplitMix64Test, EveryOrderOfThreeIsEquallyLikely) {
  SplitMix64 random(4);
  std::vector<int> count(6);
  for (int i = 0; i < 60000; ++i) {
    std::vector<int> order = {0, 1, 2};
    random.Shuffle(absl::MakeSpan(order));
    ++count[static_cast<size_t>(order[0] * 2 + (order[1] > order[2] ? 1 : 0))];
  }
  for (const int c : count) EXPECT_NEAR(c, 10000, 500);
}

}  // namespace
}  // namespace seraph
