// SPDX-License-Identifier: Apache-2.0
#include "server/core/gradient_sums.h"

#include <limits>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();

TEST(CheckFiniteTest, NamesTableKeyAndPlaceOfWhatIsNotFinite) {
  const std::vector<uint64_t> keys = {5, 7};
  EXPECT_OK(CheckFinite("w", keys, std::vector<float>{1, 1e-42f, -0.f, 2}));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
        -std::numeric_limits<float>::infinity()}) {
    EXPECT_THAT(CheckFinite("weights", keys, std::vector<float>{1, 2, 3, bad}),
                StatusIs(absl::StatusCode::kInvalidArgument,
                         AllOf(HasSubstr("table weights"), HasSubstr("value 1 of key 7"))));
  }
  EXPECT_OK(CheckFinite("w", {}, {}));
}

TEST(HasRepeatsTest, FindsThemInAnyOrder) {
  EXPECT_FALSE(HasRepeats({}));
  EXPECT_FALSE(HasRepeats({0, 1, kLast}));
  EXPECT_FALSE(HasRepeats({kLast, 0, 1}));
  EXPECT_TRUE(HasRepeats({1, 1}));
  EXPECT_TRUE(HasRepeats({kLast, 0, kLast}));
}

TEST(GradientSumsTest, RepeatedKeysActAsOneWithTheirSum) {
  GradientSums sums(2);
  sums.Add({7, 3, 7}, std::vector<float>{1, 10, 2, 20, 4, 40});
  EXPECT_THAT(sums.keys(), ElementsAre(7, 3));
  EXPECT_THAT(sums.values(), ElementsAre(5, 50, 2, 20));
}

// In floats (1e8 + 4) + 4 is 1e8, but 1e8 + (4 + 4) is not: the bits show in which order was added.
TEST(GradientSumsTest, ALaterPushWithRepeatsHasTheBitsOfThePushOfTheirSum) {
  GradientSums repeated(1), summed(1);
  repeated.Add({7}, std::vector<float>{1e8f});
  repeated.Add({7, 7, 7}, std::vector<float>{4, 4, 4});
  summed.Add({7}, std::vector<float>{1e8f});
  summed.Add({7}, std::vector<float>{12});
  EXPECT_EQ(repeated.values()[0], summed.values()[0]);
  EXPECT_NE(repeated.values()[0], 1e8f);
}

TEST(GradientSumsTest, OverwriteKeepsTheLast) {
  GradientSums sums(1);
  sums.Overwrite({1, 2, 1}, std::vector<float>{1, 2, 3});
  sums.Overwrite({2}, std::vector<float>{9});
  EXPECT_THAT(sums.keys(), ElementsAre(1, 2));
  EXPECT_THAT(sums.values(), ElementsAre(3, 9));
}

TEST(GradientSumsTest, DivideRoundsToTheNearestFloat) {
  GradientSums sums(1);
  sums.Add({1}, std::vector<float>{1});
  sums.Divide(3);
  EXPECT_EQ(sums.values()[0], static_cast<float>(1.0 / 3.0));
}

}  // namespace
}  // namespace seraph
