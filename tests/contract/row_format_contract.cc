// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/row_format_contract.h"

#include "absl/strings/str_cat.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

}  // namespace

std::unique_ptr<RowFormat> RowFormatContractTest::FormatFor(const std::string& record) {
  auto format = NewRowFormat(GetParam().options);
  EXPECT_OK(format);
  auto bound = (*format)->BindTo(record);
  if (!bound.ok() || *bound == nullptr) return std::move(format).value();
  return std::move(bound).value();
}

TEST_P(RowFormatContractTest, AcceptsItsExamples) {
  for (const AcceptedRecord& example : GetParam().accepted) {
    SCOPED_TRACE(example.record);
    const auto format = FormatFor(example.record);
    Row row;
    EXPECT_TRUE(format->IsRow(example.record));
    ASSERT_OK(format->Parse(example.record, &row));
    EXPECT_EQ(row.label, example.label);
    EXPECT_EQ(row.keys, example.keys);
    EXPECT_EQ(row.values, example.values);
    EXPECT_EQ(row.fields, example.fields);
    EXPECT_EQ(row.weight, example.weight);
  }
}

TEST_P(RowFormatContractTest, RefusesItsExamplesNamingTheToken) {
  for (const RefusedRecord& example : GetParam().refused) {
    SCOPED_TRACE(example.record);
    const auto format = FormatFor(example.record);
    Row row;
    EXPECT_TRUE(format->IsRow(example.record));
    EXPECT_THAT(format->Parse(example.record, &row), StatusIs(kInvalid, HasSubstr(example.named)));
  }
}

TEST_P(RowFormatContractTest, BlankLinesAreNoRows) {
  const auto format = FormatFor(GetParam().labelled("1"));
  for (const std::string line : {"", " ", "    ", "\r", " \r"}) {
    Row row;
    EXPECT_FALSE(format->GoesOn(line, false)) << line;
    EXPECT_FALSE(format->IsRow(line)) << line;
    EXPECT_THAT(format->Parse(line, &row), StatusIs(kInvalid, HasSubstr("no row"))) << line;
  }
}

TEST_P(RowFormatContractTest, ACarriageReturnAtTheEndDoesNotMatter) {
  for (const AcceptedRecord& example : GetParam().accepted) {
    SCOPED_TRACE(example.record);
    const auto format = FormatFor(example.record);
    Row row;
    ASSERT_OK(format->Parse(example.record + "\r", &row));
    EXPECT_EQ(row.keys, example.keys);
    EXPECT_EQ(row.values, example.values);
  }
}

TEST_P(RowFormatContractTest, AReusedRowKeepsNothing) {
  Row row;
  for (const AcceptedRecord& before : GetParam().accepted) {
    for (const AcceptedRecord& example : GetParam().accepted) {
      ASSERT_OK(FormatFor(before.record)->Parse(before.record, &row));
      ASSERT_OK(FormatFor(example.record)->Parse(example.record, &row));
      EXPECT_EQ(row.label, example.label);
      EXPECT_EQ(row.keys, example.keys);
      EXPECT_EQ(row.values, example.values);
      EXPECT_EQ(row.fields, example.fields);
      EXPECT_EQ(row.weight, example.weight);
    }
  }
}

TEST_P(RowFormatContractTest, LabelsAreDecimalNumbers) {
  const auto format = FormatFor(GetParam().labelled("1"));
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
    ASSERT_OK(format->Parse(GetParam().labelled(text), &row)) << text;
    EXPECT_EQ(row.label, value) << text;
  }
}

TEST_P(RowFormatContractTest, ALabelThatIsNoNumberIsNamed) {
  const auto format = FormatFor(GetParam().labelled("1"));
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
    EXPECT_THAT(format->Parse(GetParam().labelled(text), &row),
                StatusIs(kInvalid, HasSubstr("label `")))
        << text;
  }
}

TEST_P(RowFormatContractTest, ALabelThatAFloatCannotHoldIsNamed) {
  const auto format = FormatFor(GetParam().labelled("1"));
  for (const std::string text : {"3.4028236e38", "1.79769313486e+308", "-1e39", "1e400",
                                 "1e99999999999999999999", "10000e99999999"}) {
    Row row;
    EXPECT_THAT(format->Parse(GetParam().labelled(text), &row),
                StatusIs(kInvalid, HasSubstr(absl::StrCat("label `", text, "` is too large"))));
  }
}

TEST_P(RowFormatContractTest, ErrorsQuotePrintableCharactersAndFewOfThem) {
  using std::string_literals::operator""s;
  const std::string garbage = "PAR1\x15\0\x1b[31m\xff"s + std::string(1000, 'x');
  for (const std::string& line : {garbage, "1 " + garbage, "1 1:" + garbage, "1\r2 3"s}) {
    const auto format = FormatFor(line);
    Row row;
    EXPECT_TRUE(format->IsRow(line));
    const absl::Status status = format->Parse(line, &row);
    EXPECT_THAT(status, StatusIs(kInvalid, Not(IsEmpty())));
    EXPECT_LT(status.message().size(), 160u);
    for (const char c : status.message()) EXPECT_TRUE(c >= ' ' && c < '\x7f') << int{c};
  }
}

TEST_P(RowFormatContractTest, NulsAreNoLabel) {
  const std::string line = GetParam().labelled(std::string(3, '\0'));
  const auto format = FormatFor(line);
  Row row;
  EXPECT_TRUE(format->IsRow(line));
  EXPECT_THAT(format->Parse(line, &row), StatusIs(kInvalid, HasSubstr("`\\x00\\x00\\x00`")));
}

}  // namespace seraph
