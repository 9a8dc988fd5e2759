// SPDX-License-Identifier: Apache-2.0
#include "worker/data/csv.h"

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/contract/row_format_contract.h"
#include "tests/status_matchers.h"
#include "worker/data/category_key.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

std::string Quoted(const std::string& text) { return "\"" + text + "\""; }

RowFormatContract CsvContract() {
  return {
      .options = {.format = "csv",
                  .columns = {.label = "-1", .numeric = {"0..1"}, .categorical = {"2"}},
                  .dialect = {.missing = {"?", "NA"}}},
      .labelled = [](const std::string& label) { return "0,1,," + Quoted(label); },
      .accepted =
          {
              {"5,-2.5e-1,,1", 1, {0, 1}, {5, -0.25f}, {0, 1}},
              {" 5 ,\t1, , +1 ", 1, {0, 1}, {5, 1}, {0, 1}},
              // Zeros and missing values are absent features.
              {"0,,,1", 1, {}, {}, {}},
              {"-0.0,NA,?,1", 1, {}, {}, {}},
              {"1e-320,\"\",\"NA\",1", 1, {}, {}, {}},
              {"1,2,red,0", 0, {0, 1, CategoryKey(2, "red")}, {1, 2, 1}, {0, 1, 2}},
              // Quotes and blanks around a category are not part of it, those within are.
              {"1,2, \"red\" ,0", 0, {0, 1, CategoryKey(2, "red")}, {1, 2, 1}, {0, 1, 2}},
              {"1,2,\" red\",0", 0, {0, 1, CategoryKey(2, " red")}, {1, 2, 1}, {0, 1, 2}},
              {"\"1\",\" 2\",\"a \"\"b\"\",\nc\",0",
               0,
               {0, 1, CategoryKey(2, "a \"b\",\nc")},
               {1, 2, 1},
               {0, 1, 2}},
              {"1,2,0,0", 0, {0, 1, CategoryKey(2, "0")}, {1, 2, 1}, {0, 1, 2}},
          },
      .refused =
          {
              {"1,two,x,1", "column 1: value `two` is not a number"},
              {"1,nan,x,1", "column 1: value `nan` is not a number"},
              {"-inf,1,x,1", "column 0: value `-inf` is not a number"},
              {"1,\"5,1\",x,1", "column 1: value `5,1` is not a number"},
              {"1,1 2,x,1", "column 1: value `1\\x202` is not a number"},
              {"1e39,1,x,1", "column 0: value `1e39` is too large"},
              {"n/a,1,x,1", "column 0: value `n/a` is not a number"},
              {"1,2,x,", "the label is missing, in column 3"},
              {"1,2,x,NA", "the label is missing, in column 3"},
              {"1,2,x,yes", "label `yes` is not a number"},
              {"1,2,\"x,1", "the quote before `x,1` is never closed"},
              {"1,2,\"x\"y,1", "`y` follows the closing quote of `x`"},
          },
  };
}

RowFormatContract TsvContract() {
  return {
      .options = {.format = "tsv", .columns = {.weight = "2"}},
      .labelled = [](const std::string& label) { return label + "\t1\t1"; },
      .accepted =
          {
              {"1\t2\t0.5\t3", 1, {1, 3}, {2, 3}, {1, 3}, 0.5f},
              {"0\t\t0\t", 0, {}, {}, {}, 0},
              {"-1\t1\t1", -1, {1}, {1}, {1}},
          },
      .refused =
          {
              {"1\t1\t-1", "weight `-1` is negative"},
              {"1\t1\tnan", "weight `nan` is not a number"},
              {"1\t1\tinf", "weight `inf` is not a number"},
              {"1\t1\t", "the weight is missing, in column 2"},
              {"1,2\t1\t1", "label `1,2` is not a number"},
          },
  };
}

INSTANTIATE_TEST_SUITE_P(Csv, RowFormatContractTest, ::testing::Values(CsvContract()));
INSTANTIATE_TEST_SUITE_P(Tsv, RowFormatContractTest, ::testing::Values(TsvContract()));

std::unique_ptr<RowFormat> Create(const RowFormat::Options& options) {
  auto format = NewRowFormat(options);
  EXPECT_OK(format);
  return std::move(format).value();
}

// Bound to a file that begins with `first`.
std::unique_ptr<RowFormat> Bound(const RowFormat::Options& options, const std::string& first) {
  auto format = Create(options)->BindTo(first);
  EXPECT_OK(format);
  return std::move(format).value();
}

TEST(CsvTest, AHeaderNamesTheColumnsOfItsFile) {
  const RowFormat::Options options{
      .format = "csv",
      .columns = {.label = "click", .numeric = {"age"}, .categorical = {"job"}},
      .dialect = {.header = true}};
  EXPECT_TRUE(Create(options)->has_header());
  const auto format = Bound(options, " job , \"age\",unused,click\r");
  Row row;
  ASSERT_OK(format->Parse("cook,40,x,1", &row));
  EXPECT_EQ(row.label, 1);
  EXPECT_THAT(row.keys, ElementsAre(1, CategoryKey(0, "cook")));
  EXPECT_THAT(format->Parse("cook,old,x,1", &row),
              StatusIs(kInvalid, "column 1 (`age`): value `old` is not a number"));
  EXPECT_THAT(Create(options)->BindTo("job,age,clicks"),
              StatusIs(kInvalid, "there is no column `click`, did you mean `clicks`?"));
}

TEST(CsvTest, KeysFollowTheNamesOfTheModel) {
  const RowFormat::Options options{
      .format = "csv",
      .columns = {.label = "y", .categorical = {"job"}, .names = {"y", "age", "job"}},
      .dialect = {.header = true}};
  Row a, b;
  ASSERT_OK(Bound(options, "y,age,job")->Parse("1,40,cook", &a));
  ASSERT_OK(Bound(options, "new,job,y,age")->Parse("7,cook,1,40", &b));
  EXPECT_EQ(a.keys, b.keys);
  EXPECT_EQ(a.fields, b.fields);
  EXPECT_THAT(a.keys, ElementsAre(CategoryKey(2, "cook")));
}

TEST(CsvTest, ARowOfAnotherNumberOfColumnsIsNamedWithBoth) {
  const auto format = Bound({.format = "csv"}, "1,2,3");
  Row row;
  EXPECT_THAT(format->Parse("4,5", &row),
              StatusIs(kInvalid, "the row has 2 columns, the first row has 3"));
  // The counts come before a value that is wrong because of them.
  EXPECT_THAT(format->Parse("6,x,8,9", &row),
              StatusIs(kInvalid, "the row has 4 columns, the first row has 3"));
  EXPECT_THAT(format->Parse("x", &row),
              StatusIs(kInvalid, "the row has 1 columns, the first row has 3"));
  const auto with_header = Bound({.format = "csv", .dialect = {.header = true}}, "label,f1,f2");
  EXPECT_THAT(with_header->Parse("4,5", &row),
              StatusIs(kInvalid, "the row has 2 columns, the header has 3"));
}

TEST(CsvTest, UnusedColumnsHoldAnything) {
  const auto format = Create({.format = "csv", .columns = {.label = "1", .numeric = {"2"}}});
  Row row;
  ASSERT_OK(format->Parse("some \"text\",1,2,nan,\"a,b\"", &row));
  EXPECT_THAT(row.keys, ElementsAre(2));
}

TEST(CsvTest, ARecordGoesOnWhileQuotesAreOpen) {
  const auto format = Create({.format = "csv", .dialect = {.comment = "#"}});
  EXPECT_TRUE(format->GoesOn("1,\"two", false));
  EXPECT_TRUE(format->GoesOn("# not the end", true));
  EXPECT_FALSE(format->GoesOn("lines\",1", true));
  EXPECT_FALSE(format->GoesOn("# \"a comment", false));
}

TEST(CsvTest, CommentsAreRecordsThatBeginWithThePrefix) {
  const auto format = Create({.format = "csv", .dialect = {.comment = "//"}});
  EXPECT_FALSE(format->IsRow("// 1,2"));
  EXPECT_TRUE(format->IsRow("1,2 // 3"));
  EXPECT_TRUE(format->IsRow("#,1"));
  EXPECT_TRUE(Create({.format = "csv"})->IsRow("# 1,2"));
}

TEST(CsvTest, ALineOfEmptyColumnsIsARow) {
  EXPECT_TRUE(Create({.format = "csv"})->IsRow(",,"));
  EXPECT_TRUE(Create({.format = "tsv"})->IsRow("\t \t\r"));
  EXPECT_FALSE(Create({.format = "csv"})->IsRow("\t \t\r"));
}

TEST(CsvTest, ADelimiterOrQuoteThatCannotBeIsNamed) {
  for (const std::string text : {"ab", "\n", "\r", "a", "5", ".", "-", "+", "\xc2\xa7"}) {
    EXPECT_THAT(NewRowFormat({.format = "csv", .dialect = {.delimiter = text}}),
                StatusIs(kInvalid, HasSubstr("delimiter is `")))
        << text;
    EXPECT_THAT(NewRowFormat({.format = "csv", .dialect = {.quote = text}}),
                StatusIs(kInvalid, HasSubstr("quote is `")))
        << text;
  }
  for (const std::string text : {",", " ", "\t"}) {
    EXPECT_THAT(NewRowFormat({.format = "csv", .dialect = {.quote = text}}),
                StatusIs(kInvalid, HasSubstr("which separates columns")));
  }
  EXPECT_OK(NewRowFormat({.format = "csv", .dialect = {.delimiter = " ", .quote = "none"}}));
  EXPECT_THAT(NewRowFormat({.format = "csv", .dialect = {.comment = "#\n"}}),
              StatusIs(kInvalid, HasSubstr("comment")));
}

TEST(CsvTest, AnIndexBaseIsRefused) {
  EXPECT_THAT(NewRowFormat({.format = "tsv", .index_base = 0}),
              StatusIs(kInvalid, "format tsv has no index_base"));
  EXPECT_TRUE(HasColumns("csv"));
  EXPECT_TRUE(HasColumns("tsv"));
  EXPECT_FALSE(HasColumns("cvs"));
}

TEST(CsvTest, LabelsMayBeTexts) {
  auto format = NewRowFormat({.format = "csv",
                              .dialect = {.missing = {"?"}},
                              .labels = {.positive = {">50K", "1"}, .negative = {" <=50K"}}});
  ASSERT_OK(format);
  const std::vector<std::pair<std::string, float>> labels = {
      {">50K", 1}, {" >50K ", 1}, {"\" >50K\"", 1}, {"1", 1}, {"<=50K", 0}};
  for (const auto& [text, label] : labels) {
    Row row;
    ASSERT_OK((*format)->Parse(text + ",5", &row)) << text;
    EXPECT_EQ(row.label, label) << text;
  }
  Row row;
  EXPECT_THAT((*format)->Parse("1.0,5", &row),
              StatusIs(kInvalid, HasSubstr("label `1.0` is neither positive (`>50K`, `1`) nor "
                                           "negative (`\\x20<=50K`)")));
  EXPECT_THAT((*format)->Parse(">50k,5", &row), StatusIs(kInvalid, HasSubstr("label `>50k`")));
  EXPECT_THAT((*format)->Parse("?,5", &row), StatusIs(kInvalid, HasSubstr("label is missing")));
}

TEST(CsvTest, TheDelimiterIsAnOption) {
  const auto format = Create({.format = "csv", .dialect = {.delimiter = ";"}});
  Row row;
  ASSERT_OK(format->Parse("1;4.9;\"3.0\"", &row));
  EXPECT_THAT(row.values, ElementsAre(4.9f, 3));
  EXPECT_THAT(format->Parse("0;\"5,1\";3,5", &row),
              StatusIs(kInvalid, "column 1: value `5,1` is not a number"));
}

TEST(CsvTest, WideRowsAreReadWhole) {
  std::string record = "1";
  for (int i = 1; i <= 100000; ++i) absl::StrAppend(&record, ",", i % 3);
  Row row;
  ASSERT_OK(Create({.format = "csv"})->Parse(record, &row));
  EXPECT_EQ(row.keys.size(), 66667u);
  EXPECT_EQ(row.keys.back(), 100000u);
}

TEST(CsvTest, ALargeFieldIsReadWhole) {
  const std::string large(3 << 20, 'x');
  const auto format = Create({.format = "csv", .columns = {.categorical = {"1"}}});
  Row row;
  ASSERT_OK(format->Parse("1,\"" + large + "\"", &row));
  EXPECT_THAT(row.keys, ElementsAre(CategoryKey(1, large)));
}

TEST(CsvTest, AFormatThatWaitsForItsHeaderParsesNothing) {
  Row row;
  EXPECT_THAT(Create({.format = "csv", .dialect = {.header = true}})->Parse("1,2", &row),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("header")));
}

TEST(CsvTest, WithoutAHeaderWordsInTheFirstRowAreAnError) {
  Row row;
  EXPECT_THAT(Create({.format = "csv"})->Parse("label,f1,f2", &row),
              StatusIs(kInvalid, AllOf(HasSubstr("label `label` is not a number"))));
  EXPECT_THAT(row.keys, IsEmpty());
}

}  // namespace
}  // namespace seraph
