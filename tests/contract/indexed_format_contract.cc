// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/indexed_format_contract.h"

#include <limits>

#include "absl/strings/str_cat.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

}  // namespace

std::unique_ptr<RowFormat> IndexedFormatContractTest::Create(uint64_t index_base) {
  auto format = NewRowFormat({.format = GetParam().format, .index_base = index_base});
  EXPECT_OK(format);
  return std::move(format).value();
}

std::string IndexedFormatContractTest::Line(const std::string& label,
                                            const std::vector<std::string>& indices) {
  std::string line = label;
  for (const std::string& index : indices) {
    absl::StrAppend(&line, " ", GetParam().feature(index));
  }
  return line;
}

TEST_P(IndexedFormatContractTest, BlankAndCommentLinesAreNoRows) {
  const auto format = Create(1);
  for (const std::string line : {"", " ", "\t \t", "\r", " \r", "#", "# 1 2", "  #x", "#\r"}) {
    Row row;
    EXPECT_FALSE(format->IsRow(line)) << line;
    EXPECT_THAT(format->Parse(line, &row), StatusIs(kInvalid, HasSubstr("no row"))) << line;
  }
}

TEST_P(IndexedFormatContractTest, ALabelAloneIsARowWithoutFeatures) {
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

TEST_P(IndexedFormatContractTest, RunsOfBlanksAndTabsSeparate) {
  const auto format = Create(1);
  const auto feature = GetParam().feature;
  const std::string line = absl::StrCat("  \t-1 \t\t ", feature("3"), "   ", feature("9"), "\t \r");
  Row row;
  ASSERT_OK(format->Parse(line, &row));
  EXPECT_EQ(row.label, -1);
  EXPECT_THAT(row.keys, ElementsAre(2, 8));
}

TEST_P(IndexedFormatContractTest, ACommentEndsTheRow) {
  const auto format = Create(1);
  Row row;
  ASSERT_OK(format->Parse(Line("1", {"3"}) + " # nan:x \xff", &row));
  EXPECT_THAT(row.keys, ElementsAre(2));
  ASSERT_OK(format->Parse(Line("1", {"3"}) + "#4", &row));
  EXPECT_THAT(row.keys, ElementsAre(2));
}

TEST_P(IndexedFormatContractTest, KeysAreIndicesMinusTheBase) {
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

TEST_P(IndexedFormatContractTest, AnIndexBelowTheBaseIsNamed) {
  Row row;
  EXPECT_OK(Create(0)->Parse(Line("1", {"0"}), &row));
  EXPECT_THAT(Create(1)->Parse(Line("1", {"2", "0"}), &row),
              StatusIs(kInvalid, HasSubstr("index 0 is below index_base 1")));
}

TEST_P(IndexedFormatContractTest, AnIndexThatIsNoUnsignedWholeNumberIsNamed) {
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

TEST_P(IndexedFormatContractTest, TheOrderOfFeaturesDoesNotMatter) {
  const auto format = Create(1);
  Row sorted, unsorted;
  ASSERT_OK(format->Parse(Line("1", {"2", "3", "115", "280", "15515"}), &sorted));
  ASSERT_OK(format->Parse(Line("1", {"15515", "280", "2", "3", "115"}), &unsorted));
  EXPECT_EQ(sorted.keys, unsorted.keys);
  EXPECT_EQ(sorted.values, unsorted.values);
}

TEST_P(IndexedFormatContractTest, ARepeatedIndexSumsItsValues) {
  const auto format = Create(1);
  Row row;
  ASSERT_OK(format->Parse(Line("1", {"9", "2", "9", "5", "9"}), &row));
  EXPECT_THAT(row.keys, ElementsAre(1, 4, 8));
  EXPECT_THAT(row.values, ElementsAre(1, 1, 3));
}

TEST_P(IndexedFormatContractTest, ALongRowIsReadWhole) {
  const auto format = Create(1);
  std::vector<std::string> indices;
  for (int i = 100000; i > 0; --i) indices.push_back(absl::StrCat(i));
  Row row;
  ASSERT_OK(format->Parse(Line("1", indices), &row));
  ASSERT_EQ(row.keys.size(), 100000u);
  EXPECT_EQ(row.keys.front(), 0u);
  EXPECT_EQ(row.keys.back(), 99999u);
}

TEST_P(IndexedFormatContractTest, NoFileHasAHeaderAndNoRowGoesOn) {
  const auto format = Create(1);
  EXPECT_FALSE(format->has_header());
  EXPECT_FALSE(format->GoesOn(Line("1", {"2"}), false));
  const auto bound = format->BindTo(Line("1", {"2"}));
  ASSERT_OK(bound);
  EXPECT_EQ(*bound, nullptr);
}

TEST_P(IndexedFormatContractTest, ThereAreNoColumns) {
  EXPECT_FALSE(HasColumns(GetParam().format));
  RowFormat::Options options{.format = GetParam().format, .index_base = 1};
  options.dialect.header = true;
  EXPECT_THAT(NewRowFormat(options), StatusIs(kInvalid, HasSubstr("no columns")));
}

}  // namespace seraph
