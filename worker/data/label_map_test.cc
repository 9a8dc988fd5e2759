// SPDX-License-Identifier: Apache-2.0
#include "worker/data/label_map.h"

#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(LabelMapTest, RegressionTakesLabelsAsTheyAre) {
  EXPECT_EQ(LabelMap::Regression().Map(-3.25f).value(), -3.25f);
}

TEST(LabelMapTest, BinaryTakesZeroAndMinusOneAsNegative) {
  const LabelMap map = LabelMap::Binary();
  EXPECT_EQ(map.Map(1).value(), 1);
  EXPECT_EQ(map.Map(0).value(), 0);
  EXPECT_EQ(map.Map(-0.0f).value(), 0);
  EXPECT_EQ(map.Map(-1).value(), 0);
}

TEST(LabelMapTest, BinaryRefusesOtherLabels) {
  EXPECT_THAT(LabelMap::Binary().Map(3),
              StatusIs(kInvalid, "label 3 is neither positive (1) nor negative (0, -1)"));
  EXPECT_FALSE(LabelMap::Binary().Map(0.5f).ok());
}

TEST(LabelMapTest, ListsAreExact) {
  const LabelMap map = LabelMap::Binary({4, 0.1}, {2}).value();
  EXPECT_EQ(map.Map(4).value(), 1);
  EXPECT_EQ(map.Map(0.1f).value(), 1);
  EXPECT_EQ(map.Map(2).value(), 0);
  EXPECT_THAT(map.Map(1), StatusIs(kInvalid, HasSubstr("label 1 is neither")));
}

TEST(LabelMapTest, ListsMustBeFilledAndApart) {
  EXPECT_THAT(LabelMap::Binary({}, {0}), StatusIs(kInvalid, HasSubstr("positive")));
  EXPECT_THAT(LabelMap::Binary({1}, {}), StatusIs(kInvalid, HasSubstr("negative")));
  EXPECT_THAT(LabelMap::Binary({1, 2}, {0, 2}), StatusIs(kInvalid, HasSubstr("label 2")));
}

}  // namespace
}  // namespace seraph
