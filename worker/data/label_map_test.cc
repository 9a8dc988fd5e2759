// SPDX-License-Identifier: Apache-2.0
#include "worker/data/label_map.h"

#include <limits>

#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(LabelMapTest, RegressionTakesLabelsAsTheyAre) {
  EXPECT_EQ(LabelMap::Regression().Map(-3.25f).value(), -3.25f);
}

TEST(LabelMapTest, CountsAreNotNegative) {
  EXPECT_EQ(LabelMap::Counts().Map(0).value(), 0);
  EXPECT_EQ(LabelMap::Counts().Map(2.5f).value(), 2.5f);
  EXPECT_THAT(LabelMap::Counts().Map(-1), StatusIs(kInvalid, "label -1 is negative"));
}

TEST(LabelMapTest, ClassesAreWholeNumbersFromZero) {
  const LabelMap map = LabelMap::Classes(3);
  EXPECT_EQ(map.Map(0).value(), 0);
  EXPECT_EQ(map.Map(2).value(), 2);
  for (const float label : {-1.0f, 0.5f, 3.0f, 7.0f, -2147483648.0f, 1e30f}) {
    EXPECT_FALSE(map.Map(label).ok()) << label;
  }
  EXPECT_THAT(map.Map(7), StatusIs(kInvalid, "label 7 is not one of the classes 0 to 2"));
}

TEST(LabelMapTest, LabelsAreFinite) {
  for (const LabelMap& map : {LabelMap::Regression(), LabelMap::Counts(), LabelMap::Classes(3)}) {
    EXPECT_FALSE(map.Map(std::numeric_limits<float>::infinity()).ok());
    EXPECT_FALSE(map.Map(std::numeric_limits<float>::quiet_NaN()).ok());
  }
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
