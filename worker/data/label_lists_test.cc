// SPDX-License-Identifier: Apache-2.0
#include "worker/data/label_lists.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(LabelListsTest, NumbersAreComparedAsNumbers) {
  const LabelLists lists{.positive = {"1", "2.50"}, .negative = {"-1e0"}};
  EXPECT_FALSE(lists.texts());
  const LabelMap map = BinaryMapOf(lists).value();
  EXPECT_EQ(map.Map(2.5f).value(), 1);
  EXPECT_EQ(map.Map(-1).value(), 0);
  EXPECT_THAT(map.Map(0), StatusIs(kInvalid, HasSubstr("label 0 is neither")));
}

TEST(LabelListsTest, OneTextMakesAllTexts) {
  const LabelLists lists{.positive = {"yes", "1"}, .negative = {"no"}};
  EXPECT_TRUE(lists.texts());
  EXPECT_TRUE((LabelLists{.positive = {"1"}, .negative = {"nan"}}.texts()));
  // The format makes 1 and 0 of them.
  const LabelMap map = BinaryMapOf(lists).value();
  EXPECT_EQ(map.Map(1).value(), 1);
  EXPECT_EQ(map.Map(0).value(), 0);
}

TEST(LabelListsTest, NoListsAreTheUsualLabels) {
  EXPECT_TRUE(LabelLists().empty());
  EXPECT_FALSE(LabelLists().texts());
  EXPECT_EQ(BinaryMapOf({}).value().Map(-1).value(), 0);
}

TEST(LabelListsTest, ListsThatCannotBeAreRefused) {
  EXPECT_THAT(BinaryMapOf({.positive = {"yes"}}),
              StatusIs(kInvalid, HasSubstr("label.negative lists no label")));
  EXPECT_THAT(BinaryMapOf({.negative = {"yes"}}),
              StatusIs(kInvalid, HasSubstr("label.positive lists no label")));
  EXPECT_THAT(BinaryMapOf({.positive = {"yes"}, .negative = {"no", " yes "}}),
              StatusIs(kInvalid, HasSubstr("is listed as positive and as negative")));
  EXPECT_THAT(BinaryMapOf({.positive = {"1"}, .negative = {"1.0"}}),
              StatusIs(kInvalid, HasSubstr("label 1 is listed as positive and as negative")));
}

}  // namespace
}  // namespace seraph
