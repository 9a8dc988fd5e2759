// SPDX-License-Identifier: Apache-2.0
#include "worker/data/column_census.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

using Names = std::vector<std::string>;

// A census of rows of fields between commas.
ColumnCensus Census(const Names& names, const std::vector<std::string>& rows,
                    const std::vector<std::string>& missing = {}) {
  ColumnCensus census(names, missing);
  for (const std::string& row : rows) {
    census.Add(std::vector<std::string>(absl::StrSplit(row, ',')));
  }
  return census;
}

TEST(ColumnCensusTest, CountsWhatColumnsHold) {
  const ColumnCensus census =
      Census({"a", "b"}, {"1,x", "-2.5,y", ",x", "3,", "3,?", "1,2,3"}, {"?"});
  const ColumnCensus::Column& a = census.columns()[0];
  EXPECT_EQ(a.numbers, 4u);
  EXPECT_EQ(a.missing, 1u);
  EXPECT_EQ(a.smallest, -2.5);
  EXPECT_EQ(a.largest, 3);
  EXPECT_FALSE(a.whole);
  EXPECT_EQ(a.values.size(), 3u);
  EXPECT_TRUE(a.numeric());
  const ColumnCensus::Column& b = census.columns()[1];
  EXPECT_EQ(b.texts, 3u);
  EXPECT_EQ(b.missing, 2u);
  EXPECT_FALSE(b.numeric());
}

TEST(ColumnCensusTest, ColumnsOfTextsAreCategories) {
  const Columns columns = Census({"age", "job", "y"}, {"40,cook,1", "30,smith,0"}).Guess();
  EXPECT_EQ(columns.label, "y");
  EXPECT_THAT(columns.numeric, ElementsAre("age"));
  EXPECT_THAT(columns.categorical, ElementsAre("job"));
  EXPECT_THAT(columns.names, IsEmpty());
}

TEST(ColumnCensusTest, OfNumbersAloneNothingIsListed) {
  const Columns columns = Census({"y", "a", "weight"}, {"1,2,1", "0,3,0.5"}).Guess();
  EXPECT_EQ(columns.label, "y");
  EXPECT_EQ(columns.weight, "weight");
  EXPECT_THAT(columns.numeric, IsEmpty());
}

TEST(ColumnCensusTest, PositionsAreRanges) {
  const Columns columns = Census(Names(7), {"1,5,6,x,y,7,z", "0,5,6,x,y,7,z"}).Guess();
  EXPECT_EQ(columns.label, "0");
  EXPECT_THAT(columns.numeric, ElementsAre("1..2", "5"));
  EXPECT_THAT(columns.categorical, ElementsAre("3..4", "6"));
}

TEST(ColumnCensusTest, TheLabelIsANameOrAColumnOfClasses) {
  EXPECT_EQ(Census({"id", "Label(x)"}, {"1,0", "2,1"}).Guess().label, "Label(x)");
  EXPECT_EQ(Census({"label", "y"}, {"a,0", "b,1"}).Guess().label, "y");
  EXPECT_EQ(Census(Names(2), {"0,1.5", "1,2.5"}).Guess().label, "0");
  EXPECT_EQ(Census(Names(2), {"0.5,1", "1.5,2"}).Guess().label, "-1");
  EXPECT_EQ(Census(Names(2), {"7,1", "7,2"}).Guess().label, "-1");
  EXPECT_EQ(Census(Names(2), {"0.5,1.5", "1.5,2.5"}).Guess().label, "0");
}

TEST(ColumnCensusTest, NamesThatCouldBeMistakenAreNotUsed) {
  EXPECT_EQ(Census({"x", "x", "y"}, {"a,b,1", "a,b,0"}).Guess().label, "-1");
  EXPECT_THAT(Census({"x", "7", "y"}, {"a,b,1", "a,b,0"}).Guess().categorical, ElementsAre("0..1"));
}

TEST(ColumnCensusTest, TokensThatSpoilNumbersAreMissingValues) {
  EXPECT_THAT(Census(Names(3), {"1,2,NA", "NA,3,x", "4,?,y", "5,6,-", "7,8,z"}).MissingTokens(),
              ElementsAre("NA", "?"));
  EXPECT_THAT(Census(Names(1), {"a", "NA", "b"}).MissingTokens(), IsEmpty());
}

TEST(ColumnCensusTest, DifferentValuesAreCountedUpToALimit) {
  ColumnCensus census(Names(2), {});
  for (size_t i = 0; i < ColumnCensus::kMostDistinct + 100; ++i) {
    census.Add({absl::StrCat(i), "1"});
  }
  EXPECT_EQ(census.columns()[0].values.size(), ColumnCensus::kMostDistinct);
  EXPECT_TRUE(census.columns()[0].more_values);
  EXPECT_EQ(census.columns()[1].values.size(), 1u);
  EXPECT_FALSE(census.columns()[1].more_values);
  ColumnCensus exact(Names(1), {});
  for (size_t i = 0; i < ColumnCensus::kMostDistinct; ++i) exact.Add({absl::StrCat(i)});
  exact.Add({"5"});
  EXPECT_FALSE(exact.columns()[0].more_values);
}

TEST(ColumnCensusTest, ManyColumnsShareALimit) {
  constexpr size_t kColumns = 1000;
  ColumnCensus census(Names(kColumns), {});
  for (int row = 0; row < 2100; ++row) {
    census.Add(std::vector<std::string>(kColumns, absl::StrCat(row)));
  }
  size_t held = 0;
  for (const ColumnCensus::Column& column : census.columns()) held += column.values.size();
  EXPECT_EQ(held, ColumnCensus::kMostDistinctOfAll);
}

}  // namespace
}  // namespace seraph
