// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/row_format_contract.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

}  // namespace

std::unique_ptr<RowFormat> RowFormatContractTest::Create(uint64_t index_base) {
  auto format = NewRowFormat({.format = GetParam().format, .index_base = index_base});
  EXPECT_OK(format);
  return std::move(format).value();
}

std::string RowFormatContractTest::Line(const std::string& label,
                                        const std::vector<std::string>& indices) {
  std::string line = label;
  for (const std::string& index : indices) {
    absl::StrAppend(&line, " ", GetParam().feature(index));
  }
  return line;
}

TEST_P(RowFormatContractTest, AcceptsItsExamples) {
  const auto format = Create(1);
  for (const AcceptedLine& example : GetParam().accepted) {
    SCOPED_TRACE(example.line);
    Row row;
    EXPECT_TRUE(format->IsRow(example.line));
    ASSERT_OK(format->Parse(example.line, &row));
    EXPECT_EQ(row.label, example.label);
    EXPECT_EQ(row.keys, example.keys);
    EXPECT_EQ(row.values, example.values);
  }
}

TEST_P(RowFormatContractTest, RefusesItsExamplesNamingTheToken) {
  const auto format = Create(1);
  for (const RefusedLine& example : GetParam().refused) {
    SCOPED_TRACE(example.line);
    Row row;
    EXPECT_TRUE(format->IsRow(example.line));
    EXPECT_THAT(format->Parse(example.line, &row), StatusIs(kInvalid, HasSubstr(example.named)));
  }
}

TEST_P(RowFormatContractTest, BlankAndCommentLinesAreNoRows) {
  const auto format = Create(1);
  for (const std::string line : {"", " ", "\t \t", "\r", " \r", "#", "# 1 2", "  #x", "#\r"}) {
    Row row;
    EXPECT_FALSE(format->IsRow(line)) << line;
    EXPECT_THAT(format->Parse(line, &row), StatusIs(kInvalid, HasSubstr("no row"))) << line;
  }
}

TEST_P(RowFormatContractTest, ALabelAloneIsARowWithoutFeatures) {
  const auto format = Create(1);
  for (const std::string line : {"1", "1 ", " 1\t", "1\r", "1 # 2:1", "1# 2"}) {
    Row row;
    EXPECT_TRUE(format->IsRow(line));
    ASSERT_OK(format->Parse(line, &row)) << line;
    EXPECT_EQ(row.label, 1) << line;
    EXPECT_THAT(row.keys, IsEmpty()) << line;
    EXPECT_THAT(row.values, IsEmpty()) << line;
  }
}

TEST_P(RowFormatContractTest, LabelsAreDecimalNumbers) {
  const auto format = Create(1);
  const std::vector<std::pair<std::string, float>> labels = {
      {"+1", 1},         {"-1", -1},
      {"1.0", 1},        {"5.", 5},
      {".5", 0.5f},      {"+.5", 0.5f},
      {"-0", 0},         {"1e3", 1000},
      {"1E+3", 1000},    {"2.5e-1", 0.25f},
      {"1e-320", 0},     {"1e-99999999999999999999", 0},
      {"0e99999999", 0}, {"1e-40", 1e-40f},
      {"007", 7},        {"3.4028234e38", 3.4028234e38f},
      {"0.1", 0.1f},     {"16777217", 1.6777216e7f}};
  for (const auto& [text, value] : labels) {
    Row row;
    ASSERT_OK(format->Parse(Line(text, {"1"}), &row)) << text;
    EXPECT_EQ(row.label, value) << text;
  }
}

TEST_P(RowFormatContractTest, ALabelThatIsNoNumberIsNamed) {
  const auto format = Create(1);
  for (const std::string text : {"abcd-1234",
                                 "nan",
                                 "NaN",
                                 "inf",
                                 "-inf",
                                 "infinity",
                                 "0x1p-2",
                                 "1,0",
                                 "2,3",
                                 "+-1",
                                 "++1",
                                 "--1",
                                 "-",
                                 "+",
                                 ".",
                                 "1e",
                                 "1e+",
                                 "e5",
                                 "1.2.3",
                                 "1f",
                                 "1:0.25",
                                 "\xef\xbb\xbf"
                                 "1"}) {
    Row row;
    EXPECT_THAT(format->Parse(Line(text, {"1"}), &row), StatusIs(kInvalid, HasSubstr("label `")))
        << text;
  }
}

TEST_P(RowFormatContractTest, ALabelThatAFloatCannotHoldIsNamed) {
  const auto format = Create(1);
  for (const std::string text : {"3.4028236e38", "1.79769313486e+308", "-1e39", "1e400",
                                 "1e99999999999999999999", "10000e99999999"}) {
    Row row;
    EXPECT_THAT(format->Parse(Line(text, {"1"}), &row),
                StatusIs(kInvalid, HasSubstr(absl::StrCat("label `", text, "` is too large"))));
  }
}

TEST_P(RowFormatContractTest, RunsOfBlanksAndTabsSeparate) {
  const auto format = Create(1);
  const auto feature = GetParam().feature;
  const std::string line = absl::StrCat("  \t-1 \t\t ", feature("3"), "   ", feature("9"), "\t \r");
  Row row;
  ASSERT_OK(format->Parse(line, &row));
  EXPECT_EQ(row.label, -1);
  EXPECT_THAT(row.keys, ElementsAre(2, 8));
}

TEST_P(RowFormatContractTest, ACommentEndsTheRow) {
  const auto format = Create(1);
  Row row;
  ASSERT_OK(format->Parse(Line("1", {"3"}) + " # nan:x \xff", &row));
  EXPECT_THAT(row.keys, ElementsAre(2));
  ASSERT_OK(format->Parse(Line("1", {"3"}) + "#4", &row));
  EXPECT_THAT(row.keys, ElementsAre(2));
}

TEST_P(RowFormatContractTest, KeysAreIndicesMinusTheBase) {
  const std::vector<std::string> indices = {"4294967295", "4294967296", "9223372036854775808",
                                            "18446744073709551615"};
  Row row;
  ASSERT_OK(Create(0)->Parse(Line("1", indices), &row));
  EXPECT_THAT(row.keys, ElementsAre(4294967295u, 4294967296u, 9223372036854775808u,
                                    std::numeric_limits<uint64_t>::max()));
  ASSERT_OK(Create(1)->Parse(Line("1", indices), &row));
  EXPECT_THAT(row.keys, ElementsAre(4294967294u, 4294967295u, 9223372036854775807u,
                                    std::numeric_limits<uint64_t>::max() - 1));
}

TEST_P(RowFormatContractTest, AnIndexBelowTheBaseIsNamed) {
  Row row;
  EXPECT_OK(Create(0)->Parse(Line("1", {"0"}), &row));
  EXPECT_THAT(Create(1)->Parse(Line("1", {"2", "0"}), &row),
              StatusIs(kInvalid, HasSubstr("index 0 is below index_base 1")));
}

TEST_P(RowFormatContractTest, AnIndexThatIsNoUnsignedWholeNumberIsNamed) {
  const auto format = Create(0);
  const std::vector<std::pair<std::string, std::string>> indices = {
      {"-1", "is negative"},
      {"18446744073709551616", "does not fit in 64 bits"},
      {"99999999999999999999999", "does not fit in 64 bits"},
      {"+1", "is not a whole number"},
      {"1.5", "is not a whole number"},
      {"1e3", "is not a whole number"},
      {"0x10", "is not a whole number"},
      {"two", "is not a whole number"},
      {"-", "is not a whole number"}};
  for (const auto& [index, reason] : indices) {
    Row row;
    EXPECT_THAT(format->Parse(Line("1", {"7", index}), &row),
                StatusIs(kInvalid, HasSubstr(absl::StrCat("index `", index, "` ", reason))));
  }
}

TEST_P(RowFormatContractTest, TheOrderOfFeaturesDoesNotMatter) {
  const auto format = Create(1);
  Row sorted, unsorted;
  ASSERT_OK(format->Parse(Line("1", {"2", "3", "115", "280", "15515"}), &sorted));
  ASSERT_OK(format->Parse(Line("1", {"15515", "280", "2", "3", "115"}), &unsorted));
  EXPECT_EQ(sorted.keys, unsorted.keys);
  EXPECT_EQ(sorted.values, unsorted.values);
}

TEST_P(RowFormatContractTest, ARepeatedIndexSumsItsValues) {
  const auto format = Create(1);
  Row row;
  ASSERT_OK(format->Parse(Line("1", {"9", "2", "9", "5", "9"}), &row));
  EXPECT_THAT(row.keys, ElementsAre(1, 4, 8));
  EXPECT_THAT(row.values, ElementsAre(1, 1, 3));
}

TEST_P(RowFormatContractTest, AReusedRowKeepsNothing) {
  const auto format = Create(1);
  Row row;
  ASSERT_OK(format->Parse(Line("1", {"2", "3", "4"}), &row));
  ASSERT_OK(format->Parse("0", &row));
  EXPECT_EQ(row.label, 0);
  EXPECT_THAT(row.keys, IsEmpty());
  EXPECT_THAT(row.values, IsEmpty());
}

TEST_P(RowFormatContractTest, ALongRowIsReadWhole) {
  const auto format = Create(1);
  std::vector<std::string> indices;
  for (int i = 100000; i > 0; --i) indices.push_back(absl::StrCat(i));
  Row row;
  ASSERT_OK(format->Parse(Line("1", indices), &row));
  ASSERT_EQ(row.keys.size(), 100000u);
  EXPECT_EQ(row.keys.front(), 0u);
  EXPECT_EQ(row.keys.back(), 99999u);
}

TEST_P(RowFormatContractTest, ErrorsQuotePrintableCharactersAndFewOfThem) {
  const auto format = Create(1);
  using std::string_literals::operator""s;
  const std::string garbage = "PAR1\x15\0\x1b[31m\xff"s + std::string(1000, 'x');
  for (const std::string& line : {garbage, "1 " + garbage, "1 1:" + garbage, "1\r2 3"s}) {
    Row row;
    EXPECT_TRUE(format->IsRow(line));
    const absl::Status status = format->Parse(line, &row);
    EXPECT_THAT(status, StatusIs(kInvalid, Not(IsEmpty())));
    EXPECT_LT(status.message().size(), 120u);
    for (const char c : status.message()) EXPECT_TRUE(c >= ' ' && c < '\x7f') << int{c};
  }
}

TEST_P(RowFormatContractTest, ALineOfNulsIsABadRow) {
  const auto format = Create(1);
  const std::string line(3, '\0');
  Row row;
  EXPECT_TRUE(format->IsRow(line));
  EXPECT_THAT(format->Parse(line, &row), StatusIs(kInvalid, HasSubstr("`\\x00\\x00\\x00`")));
}

}  // namespace seraph
