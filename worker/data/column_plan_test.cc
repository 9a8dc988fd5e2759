// SPDX-License-Identifier: Apache-2.0
#include "worker/data/column_plan.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// A plan as one letter and position a column: "l0 n1 - c3".
std::string Text(const absl::StatusOr<ColumnPlan>& plan) {
  if (!plan.ok()) return std::string(plan.status().message());
  std::string text;
  for (const ColumnPlan::Column& column : plan->columns) {
    const char letter = "-lwnc"[static_cast<int>(column.role)];
    absl::StrAppend(&text, text.empty() ? "" : " ", std::string(1, letter));
    if (letter != '-') absl::StrAppend(&text, column.position);
  }
  return text;
}

std::string Plan(const Columns& columns, size_t width) {
  return Text(PlanColumns(columns, width, {}));
}

std::string Plan(const Columns& columns, const std::vector<std::string>& header) {
  return Text(PlanColumns(columns, header.size(), header));
}

TEST(ColumnPlanTest, WithoutListsAllOtherColumnsAreNumeric) {
  EXPECT_EQ(Plan({}, 3), "l0 n1 n2");
  EXPECT_EQ(Plan({.label = "-1"}, 3), "n0 n1 l2");
  EXPECT_EQ(Plan({.label = "1", .weight = "-3"}, 3), "w0 l1 n2");
  EXPECT_EQ(Plan({}, 1), "l0");
}

TEST(ColumnPlanTest, WithAListOnlyWhatIsListedCounts) {
  EXPECT_EQ(Plan({.numeric = {"2"}}, 4), "l0 - n2 -");
  EXPECT_EQ(Plan({.categorical = {"3", "1"}}, 4), "l0 c1 - c3");
  EXPECT_EQ(Plan({.numeric = {"1..2"}, .categorical = {"3..5"}, .weight = "7"}, 8),
            "l0 n1 n2 c3 c4 c5 - w7");
}

TEST(ColumnPlanTest, ColumnsAreFoundByTheNamesOfTheHeader) {
  const std::vector<std::string> header = {"id", "age", "job", "click", "7"};
  EXPECT_EQ(Plan({.label = "click", .numeric = {"age"}, .categorical = {"job", "-1"}}, header),
            "- n1 c2 l3 c4");
  EXPECT_EQ(Plan({.label = "3", .weight = "7"}, header), "n0 n1 n2 l3 w4");
}

TEST(ColumnPlanTest, NamesOfTheModelGivePositionsWhateverTheOrderInTheFile) {
  const Columns columns{.label = "y", .categorical = {"b"}, .names = {"y", "a", "b"}};
  EXPECT_EQ(Plan(columns, {"y", "a", "b"}), "l0 - c2");
  EXPECT_EQ(Plan(columns, {"more", "b", "a", "y"}), "- c2 - l0");
  EXPECT_EQ(Plan({.label = "0", .names = {"y", "a"}}, {"a", "x", "y"}), "n1 - l0");
  EXPECT_EQ(Plan(columns, {"b", "a"}), "there is no column `y`");
  // In files without a header the names are those of the columns, in order.
  EXPECT_EQ(Plan(columns, 3), "l0 - c2");
  EXPECT_EQ(Plan(columns, 4), "there are 4 columns, but columns.names lists 3");
}

TEST(ColumnPlanTest, AColumnThatIsNotThereIsNamedWithTheNearest) {
  EXPECT_EQ(Plan({.label = "clik"}, {"id", "click"}),
            "there is no column `clik`, did you mean `click`?");
  EXPECT_EQ(Plan({.label = "zzzzzz"}, {"id", "click"}), "there is no column `zzzzzz`");
  EXPECT_EQ(Plan({.label = "3"}, 3), "there is no column 3: the columns are 0 to 2");
  EXPECT_EQ(Plan({.label = "-4"}, 3), "there is no column -4: the columns are 0 to 2");
  EXPECT_EQ(Plan({.numeric = {"1..3"}}, 3), "there is no column 1..3: the columns are 0 to 2");
  for (const std::string text : {"2..1", "1..", "..2", "-2..-1", "1..2..3", "1-2", "", "1.0"}) {
    EXPECT_THAT(Plan({.numeric = {text}}, 5), HasSubstr("there is no column `")) << text;
  }
  EXPECT_THAT(Plan({.label = "0..1"}, 3), HasSubstr("there is no column `0..1`"));
}

TEST(ColumnPlanTest, RowsThatAreOnlyScoredNeedNoLabelAndNoWeight) {
  Columns columns{.label = "y", .weight = "w", .names = {"y", "a", "w"}, .unlabelled = true};
  EXPECT_EQ(Plan(columns, {"a"}), "n1");
  EXPECT_EQ(Plan(columns, {"w", "a", "y"}), "- n1 -");
  EXPECT_EQ(Plan(columns, {"y", "a", "w"}), "- n1 -");
  EXPECT_EQ(Plan(columns, {"y", "b"}), "there is no column `a`");
  EXPECT_EQ(Plan({.label = "0", .names = {"y", "a"}, .unlabelled = true}, {"a"}), "n1");
  EXPECT_EQ(Plan({.label = "y", .numeric = {"a"}, .unlabelled = true}, {"b", "a"}), "- n1");
  EXPECT_EQ(Plan({.label = "-1", .unlabelled = true}, 3), "n0 n1 -");
}

TEST(ColumnPlanTest, AColumnHasOneUse) {
  EXPECT_EQ(Plan({.label = "0", .numeric = {"0"}}, 3), "column 0, stated as `0`, is stated twice");
  EXPECT_EQ(Plan({.label = "a", .categorical = {"b", "1"}}, {"a", "b"}),
            "column 1, stated as `1`, is stated twice");
  EXPECT_EQ(Plan({.numeric = {"1..3"}, .categorical = {"3"}}, 5),
            "column 3, stated as `3`, is stated twice");
}

TEST(ColumnPlanTest, ANameThatStandsTwiceMustBeAPosition) {
  EXPECT_EQ(Plan({.label = "a"}, {"a", "a", "b"}), "two columns are named `a`, state the position");
  EXPECT_EQ(Plan({.label = "1", .numeric = {"b"}}, {"a", "a", "b"}), "- l1 n2");
  EXPECT_EQ(Plan({.label = "y", .names = {"y", "a"}}, {"a", "a", "y"}),
            "two columns are named `a`, state the position");
}

TEST(ColumnPlanTest, ColumnsAreShownAsTheFileHasThem) {
  const auto plan = PlanColumns({.names = {"y", "a"}}, 2, std::vector<std::string>{"a", "y"});
  ASSERT_OK(plan);
  EXPECT_EQ(plan->Shown(0), "column 0 (`a`)");
  EXPECT_EQ(plan->features, 1u);
  EXPECT_EQ(PlanColumns({}, 2, {})->Shown(1), "column 1");
  EXPECT_EQ(PlanColumns({.names = {"y", "a"}}, 2, {})->Shown(1), "column 1 (`a`)");
}

TEST(ColumnPlanTest, NamesNeedAHeaderOrAList) {
  EXPECT_OK(CheckColumns({.label = "y"}, /*header=*/true));
  EXPECT_OK(CheckColumns({.label = "-1", .numeric = {"0..3"}}, /*header=*/false));
  EXPECT_OK(CheckColumns({.label = "y", .names = {"x", "y"}}, /*header=*/false));
  EXPECT_THAT(CheckColumns({.label = "y"}, false),
              StatusIs(kInvalid, HasSubstr("column `y` is stated by name")));
  EXPECT_THAT(CheckColumns({.categorical = {"1", "y"}}, false),
              StatusIs(kInvalid, HasSubstr("`y`")));
  EXPECT_THAT(CheckColumns({.label = "z", .names = {"x", "y"}}, false),
              StatusIs(kInvalid, HasSubstr("no column `z`")));
}

}  // namespace
}  // namespace seraph
