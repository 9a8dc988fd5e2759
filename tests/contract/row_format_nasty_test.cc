// SPDX-License-Identifier: Apache-2.0
// The files of ../shared/data/nasty, each with the outcome that its INDEX.tsv asks for, read
// the way a job reads them. Skipped where SERAPH_SHARED_DATA does not say where they lie.
#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/data/category_key.h"
#include "worker/data/data_set.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

class RowFormatNastyTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const char* const shared = std::getenv("SERAPH_SHARED_DATA");
    if (shared == nullptr || *shared == '\0') GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
    folder_ = absl::StrCat(shared, "/nasty/");
  }

  std::string Path(const std::string& file) const { return folder_ + file; }

  absl::StatusOr<std::vector<Row>> Read(const std::string& file, uint64_t index_base = 1,
                                        LabelMap labels = LabelMap::Binary()) {
    return Read(file, {.format = "libsvm", .index_base = index_base}, labels);
  }

  absl::StatusOr<std::vector<Row>> Read(const std::string& file, const RowFormat::Options& format,
                                        LabelMap labels = LabelMap::Binary()) {
    auto files = ExpandPath(Path(file), format);
    if (!files.ok()) return files.status();
    auto data = DataSet::Open(*files, {.labels = labels,
                                       .bad_rows = policy_,
                                       .spill_folder = ::testing::TempDir(),
                                       .fields = true});
    if (!data.ok()) return data.status();
    auto index = (*data)->BuildIndex();
    if (!index.ok()) return index.status();
    std::vector<Row> rows;
    for (const Block& block : index->blocks) {
      const absl::Status status = (*data)->ReadBlock(block, {}, [&](uint32_t, const Row& row) {
        rows.push_back(row);
        return absl::OkStatus();
      });
      if (!status.ok()) return status;
    }
    skipped_ = (*data)->rows_skipped();
    return rows;
  }

  std::vector<Row> Rows(const std::string& file, uint64_t index_base = 1) {
    auto rows = Read(file, index_base);
    EXPECT_OK(rows);
    return std::move(rows).value_or(std::vector<Row>{});
  }

  std::vector<Row> Rows(const std::string& file, const RowFormat::Options& format,
                        LabelMap labels = LabelMap::Binary()) {
    auto rows = Read(file, format, labels);
    EXPECT_OK(rows);
    return std::move(rows).value_or(std::vector<Row>{});
  }

  // The error of reading the file in this format, which must name file and line.
  void ExpectBadLine(const std::string& file, const RowFormat::Options& format, int line,
                     const std::string& reason, LabelMap labels = LabelMap::Binary()) {
    EXPECT_THAT(Read(file, format, labels),
                StatusIs(kInvalid, AllOf(StartsWith(absl::StrCat(Path(file), ":", line, ": ")),
                                         HasSubstr(reason))));
  }

  // The error of reading the file, which must name file and line.
  void ExpectBadLine(const std::string& file, int line, const std::string& reason,
                     LabelMap labels = LabelMap::Binary()) {
    EXPECT_THAT(Read(file, 1, labels),
                StatusIs(kInvalid, AllOf(StartsWith(absl::StrCat(Path(file), ":", line, ": ")),
                                         HasSubstr(reason))));
  }

  // Rows of a file whose bad ones are left out and counted.
  std::vector<Row> RowsSkipping(const std::string& file, uint64_t expected_skipped) {
    policy_.skip = true;
    std::vector<Row> rows = Rows(file);
    EXPECT_EQ(skipped_, expected_skipped);
    return rows;
  }

  std::string folder_;
  BadRowPolicy policy_;
  uint64_t skipped_ = 0;
};

TEST_F(RowFormatNastyTest, Case01IndexZeroNeedsBaseZero) {
  const std::vector<Row> rows = Rows("01_index0.libsvm", 0);
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[1].keys, ElementsAre(0, 1, 2));
  EXPECT_THAT(rows[1].values, ElementsAre(-2, -1, 1));
  ExpectBadLine("01_index0.libsvm", 2, "index 0 is below index_base 1");
}

TEST_F(RowFormatNastyTest, Case02TrainAndTestShareTheStatedBase) {
  // No row of the train file has index 0: a base guessed file by file would differ.
  const std::vector<Row> train = Rows("02_base_pair/train.libsvm", 0);
  const std::vector<Row> test = Rows("02_base_pair/test.libsvm", 0);
  ASSERT_THAT(train, SizeIs(2));
  ASSERT_THAT(test, SizeIs(2));
  EXPECT_THAT(train[0].keys, ElementsAre(1, 3));
  EXPECT_THAT(test[0].keys, ElementsAre(0, 1));
  ExpectBadLine("02_base_pair/test.libsvm", 1, "index 0 is below index_base 1");
}

TEST_F(RowFormatNastyTest, Case03RepeatedIndicesSum) {
  const std::vector<Row> rows = Rows("03_dup_index.libsvm");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys,
              ElementsAre(0, 1, 8, 11, 12, 155, 307, 310, 518, 1077, 3855, 5036, 102600));
  EXPECT_THAT(rows[0].values, ElementsAre(1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(rows[1].keys, ElementsAre(0));
  EXPECT_THAT(rows[1].values, ElementsAre(3));
}

TEST_F(RowFormatNastyTest, Case04UnsortedReadsAsSorted) {
  const std::vector<Row> rows = Rows("04_unsorted.libsvm");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, ElementsAre(1, 2, 114, 149, 279, 309, 310, 15514));
  EXPECT_THAT(rows[1].keys, ElementsAre(0, 1, 2));
}

TEST_F(RowFormatNastyTest, Case05LabelsAloneAreRows) {
  const std::vector<Row> rows = Rows("05_label_only.libsvm");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[1].keys, IsEmpty());
  EXPECT_THAT(rows[3].keys, IsEmpty());
}

TEST_F(RowFormatNastyTest, Case06BlankLinesAreNoRows) {
  EXPECT_THAT(Rows("06_empty_lines.libsvm"), SizeIs(3));
}

TEST_F(RowFormatNastyTest, Case07TrailingBlanksAreNoFeatures) {
  const std::vector<Row> rows = Rows("07_trailing_space.libsvm");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 2));
  EXPECT_THAT(rows[1].keys, ElementsAre(1));
  EXPECT_THAT(rows[2].keys, ElementsAre(0));
}

TEST_F(RowFormatNastyTest, Case08RunsOfBlanksAndTabsSeparate) {
  const std::vector<Row> rows = Rows("08_odd_blanks.libsvm");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 2));
  EXPECT_EQ(rows[1].label, 0);
  EXPECT_EQ(rows[2].label, 1);
}

TEST_F(RowFormatNastyTest, Case09CarriageReturnsDoNotMatter) {
  const std::vector<Row> rows = Rows("09_crlf.libsvm");
  ASSERT_THAT(rows, SizeIs(4));
  for (const Row& row : rows) EXPECT_THAT(row.keys, ElementsAre(0, 1));
  EXPECT_EQ(rows[3].values.back(), 1);
}

TEST_F(RowFormatNastyTest, Case10TheLastLineNeedsNoEnd) {
  const std::vector<Row> rows = Rows("10_noeol.libsvm");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[3].values.back(), 1);
}

TEST_F(RowFormatNastyTest, Case11PartsOfAFolderDoNotRunTogether) {
  const std::vector<Row> rows = Rows("11_noeol_parts", {.format = "csv"}, LabelMap::Regression());
  ASSERT_THAT(rows, SizeIs(3));
  for (const Row& row : rows) EXPECT_THAT(row.keys, ElementsAre(1, 2, 3));
  policy_.skip = true;  // As libsvm each of the three rows is bad, none is glued.
  EXPECT_THAT(Rows("11_noeol_parts"), IsEmpty());
  EXPECT_EQ(skipped_, 3u);
}

TEST_F(RowFormatNastyTest, Case12AByteOrderMarkAtTheStartIsIgnored) {
  const std::vector<Row> rows = Rows("12_bom.csv", {.format = "csv"});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, 1);
  EXPECT_THAT(rows[0].values, ElementsAre(0.5f));
  EXPECT_EQ(rows[1].label, 0);
  EXPECT_THAT(rows[1].values, ElementsAre(0.25f));
  ExpectBadLine("12_bom.csv", 1, "label `1,0.5` is not a number");
}

TEST_F(RowFormatNastyTest, Case13AByteOrderMarkElsewhereIsNamed) {
  ExpectBadLine("13_bom_each_line.csv", {.format = "csv"}, 2,
                "label `\\xef\\xbb\\xbf0` is not a number");
  policy_.skip = true;
  EXPECT_THAT(Rows("13_bom_each_line.csv", {.format = "csv"}), SizeIs(1));
  EXPECT_EQ(skipped_, 2u);
}

TEST_F(RowFormatNastyTest, Case14AnIndexWithoutValueIsNamed) {
  ExpectBadLine("14_missing_value.libsvm", 2, "`3` has no value");
  EXPECT_THAT(RowsSkipping("14_missing_value.libsvm", 2), SizeIs(1));
}

TEST_F(RowFormatNastyTest, Case15ATextLabelIsNamed) {
  ExpectBadLine("15_text_label.libsvm", 2, "label `abcd-1234` is not a number");
}

TEST_F(RowFormatNastyTest, Case16LabelsThatAreNotFiniteAreNamed) {
  ExpectBadLine("16_nan_label.libsvm", 2, "label `nan` is not a number");
  ExpectBadLine("16_nan_label.libsvm", 2, "label `nan`", LabelMap::Regression());
  EXPECT_THAT(RowsSkipping("16_nan_label.libsvm", 2), SizeIs(2));
}

TEST_F(RowFormatNastyTest, Case17ValuesThatAreNotFiniteAreNamed) {
  ExpectBadLine("17_nan_value.libsvm", 1, "value `nan` is not a number");
  EXPECT_THAT(RowsSkipping("17_nan_value.libsvm", 3), IsEmpty());
}

TEST_F(RowFormatNastyTest, Case18AValueThatAFloatCannotHoldIsNamed) {
  ExpectBadLine("18_huge_value.libsvm", 2, "value `1.79769313486e+308` is too large");
  const std::vector<Row> rows = RowsSkipping("18_huge_value.libsvm", 1);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].values[0], 50233425598702010000.00f);
  EXPECT_THAT(rows[1].keys, ElementsAre(1));  // 1e-320 is zero in a float.
}

TEST_F(RowFormatNastyTest, Case19AllOfTheKeySpaceIsKeptApart) {
  const std::vector<Row> rows = Rows("19_index_64bit.libsvm", 0);
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[0].keys, ElementsAre(4294967295u, 4294967296u, 4294967297u));
  EXPECT_THAT(rows[1].keys, ElementsAre(72048431380967004u));
  EXPECT_THAT(rows[2].keys, ElementsAre(9223372036854775808u));
  EXPECT_THAT(rows[3].keys, ElementsAre(18446744073709551615u));
}

TEST_F(RowFormatNastyTest, Case20AnIndexBeyondTheKeySpaceIsNamed) {
  ExpectBadLine("20_index_over_uint64.libsvm", 1, "`18446744073709551616` does not fit in 64 bits");
}

TEST_F(RowFormatNastyTest, Case21ANegativeIndexIsNamed) {
  ExpectBadLine("21_negative_index.libsvm", 1, "index `-1` is negative");
}

TEST_F(RowFormatNastyTest, Case22QidIsNoFeature) {
  const std::vector<Row> rows = Rows("22_qid.libsvm");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 4));
  EXPECT_THAT(rows[2].keys, ElementsAre(0));
}

TEST_F(RowFormatNastyTest, Case23TextAfterAHashIsIgnored) {
  const std::vector<Row> rows = Rows("23_comments.libsvm");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, ElementsAre(0));
  EXPECT_THAT(rows[1].keys, ElementsAre(0));
}

TEST_F(RowFormatNastyTest, Case24FloatsOfEveryDecimalFormAndNoHexadecimalOnes) {
  ExpectBadLine("24_floats.libsvm", 3, "value `0x1p-2` is not a number");
  const std::vector<Row> rows = RowsSkipping("24_floats.libsvm", 1);
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].values, ElementsAre(0.00017065995780200002f, 0.000170659957802f));
  EXPECT_THAT(rows[1].values, ElementsAre(6.2699720e-02f, 2.6864e-05f, 1.592E-05f, .5f, 5.f));
}

TEST_F(RowFormatNastyTest, Case25BinaryLabelsHaveAStatedMapping) {
  const std::vector<Row> rows = Rows("25_labels_mixed.libsvm");
  ASSERT_THAT(rows, SizeIs(5));
  std::vector<float> labels;
  for (const Row& row : rows) labels.push_back(row.label);
  EXPECT_THAT(labels, ElementsAre(1, 0, 1, 0, 1));
}

TEST_F(RowFormatNastyTest, Case26OtherLabelsAreNamed) {
  ExpectBadLine("26_labels_multiclass.libsvm", 1, "label 7 is neither positive");
  ExpectBadLine("26_labels_multiclass.libsvm", 1, "label 7 is not one of the classes 0 to 2",
                LabelMap::Classes(3));
}

TEST_F(RowFormatNastyTest, Case27SeveralLabelsAreBadRows) {
  ExpectBadLine("27_multilabel.libsvm", 1, "label `2,3` is not a number");
  EXPECT_THAT(RowsSkipping("27_multilabel.libsvm", 3), IsEmpty());
}

TEST_F(RowFormatNastyTest, Case28QuotesAreThoseOfRfc4180) {
  const RowFormat::Options format{
      .format = "csv",
      .columns = {.label = "label", .numeric = {"ID"}, .categorical = {"Text", "income"}},
      .dialect = {.header = true}};
  const std::vector<Row> rows = Rows("28_quoting.csv", format);
  ASSERT_THAT(rows, SizeIs(4));
  const auto text = [](const std::string& value) { return CategoryKey(1, value); };
  const std::vector<std::string> texts = {"This text contains comma, within quotes.",
                                          "he said \"ok\"", "two\nlines",
                                          "unquoted \"inner\" quote"};
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].label, i % 2 == 0 ? 1 : 0);
    EXPECT_EQ(rows[i].keys[0], 0u);
    EXPECT_EQ(rows[i].values[0], static_cast<float>(i + 1));
    EXPECT_THAT(rows[i].keys, Contains(text(texts[i])));
    EXPECT_THAT(rows[i].keys, SizeIs(i == 2 ? 2 : 3));  // The third has no income.
  }
  EXPECT_THAT(rows[0].keys, Contains(CategoryKey(2, "$  40,000 - $49,999")));
}

TEST_F(RowFormatNastyTest, Case29MissingTokensAreAnOption) {
  RowFormat::Options format{.format = "csv"};
  ExpectBadLine("29_missing.csv", format, 3, "column 2: value `NA` is not a number",
                LabelMap::Regression());
  format.dialect.missing = {"NA"};
  ExpectBadLine("29_missing.csv", format, 3, "column 3: value `?` is not a number",
                LabelMap::Regression());
  format.dialect.missing = {"NA", "?"};
  const std::vector<Row> rows = Rows("29_missing.csv", format, LabelMap::Regression());
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(3));
  EXPECT_THAT(rows[1].keys, ElementsAre(1, 2, 3));
  EXPECT_THAT(rows[2].keys, ElementsAre(1));
  // A category that is missing is none, and another than zero.
  format.columns.categorical = {"1..3"};
  const std::vector<Row> categories = Rows("29_missing.csv", format, LabelMap::Regression());
  EXPECT_THAT(categories[0].keys, ElementsAre(CategoryKey(3, "3")));
}

TEST_F(RowFormatNastyTest, Case30RaggedRowsAreNamedWithTheirCounts) {
  const RowFormat::Options format{.format = "csv", .dialect = {.header = true}};
  ExpectBadLine("30_ragged.csv", format, 3, "the row has 2 columns, the header has 3");
  policy_.skip = true;
  EXPECT_THAT(Rows("30_ragged.csv", format), SizeIs(1));
  EXPECT_EQ(skipped_, 2u);
}

TEST_F(RowFormatNastyTest, Case31CsvIsNoLibsvm) {
  ExpectBadLine("31_csv_as_libsvm.libsvm", 1, "label `1,0.5,3` is not a number");
}

TEST_F(RowFormatNastyTest, Case32AHeaderIsAnOption) {
  ExpectBadLine("32_header.csv", {.format = "csv"}, 1, "label `label` is not a number");
  const std::vector<Row> rows =
      Rows("32_header.csv", {.format = "csv", .dialect = {.header = true}});
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, 1);
  EXPECT_THAT(rows[0].keys, ElementsAre(1, 2));
  EXPECT_THAT(rows[1].values, ElementsAre(0.25f, 3));
}

TEST_F(RowFormatNastyTest, Case33ADecimalCommaIsNoDecimalPoint) {
  const RowFormat::Options format{.format = "csv", .dialect = {.header = true, .delimiter = ";"}};
  ExpectBadLine("33_decimal_comma.csv", format, 2, "column 1 (`w`): value `5,1` is not a number");
  ExpectBadLine("33_decimal_comma.csv", {.format = "csv", .dialect = {.header = true}}, 2,
                "the row has 3 columns, the header has 1");
}

TEST_F(RowFormatNastyTest, Case34TrailingTabsAreColumns) {
  const std::vector<Row> rows =
      Rows("34_criteo_trailing_tabs.tsv",
           {.format = "tsv", .columns = {.numeric = {"1..13"}, .categorical = {"14..39"}}});
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].label, 0);
  // I1, I3 and I5 are 0, missing and 2; I2 is -1.
  EXPECT_THAT(std::vector<uint64_t>(rows[0].keys.begin(), rows[0].keys.begin() + 3),
              ElementsAre(1, 2, 5));
  EXPECT_THAT(std::vector<float>(rows[0].values.begin(), rows[0].values.begin() + 3),
              ElementsAre(3, -1, 2));
  EXPECT_THAT(rows[0].fields, Contains(37));
  EXPECT_THAT(rows[0].fields, Not(Contains(38)));
  EXPECT_THAT(rows[0].fields, Not(Contains(39)));
  ExpectBadLine("34_criteo_trailing_tabs.tsv",
                {.format = "tsv", .columns = {.categorical = {"14..40"}}}, 1,
                "there is no column 14..40: the columns are 0 to 39");
}

TEST_F(RowFormatNastyTest, Case35FieldsOfAnySizeAndNoTokenOfTwoParts) {
  const RowFormat::Options format{.format = "libffm", .index_base = 0};
  ExpectBadLine("35_ffm_bad.ffm", format, 1, "`34:1` is not of the form field:index:value");
  policy_.skip = true;
  const std::vector<Row> rows = Rows("35_ffm_bad.ffm", format);
  EXPECT_EQ(skipped_, 1u);
  ASSERT_THAT(rows, SizeIs(5));
  EXPECT_THAT(rows[0].keys, ElementsAre(82, 221, 395));
  EXPECT_THAT(rows[0].fields, ElementsAre(2, 8, 11));
  EXPECT_THAT(rows[0].values, ElementsAre(17597, 51385, 838056));
  EXPECT_THAT(rows[1].keys, ElementsAre(5, 6));  // The zero is absent.
  EXPECT_THAT(rows[2].fields, ElementsAre(99999));
  EXPECT_THAT(rows[3].keys, ElementsAre(1));
  EXPECT_THAT(rows[3].values, ElementsAre(2));
  EXPECT_THAT(rows[4].keys, IsEmpty());
}

TEST_F(RowFormatNastyTest, Case36RowsMayDifferInTheirNumberOfFeatures) {
  EXPECT_THAT(Rows("36_varying_fields.libsvm"), SizeIs(3));
}

TEST_F(RowFormatNastyTest, Case37OneClassReads) {
  for (const Row& row : Rows("37_one_class.libsvm")) EXPECT_EQ(row.label, 0);
}

TEST_F(RowFormatNastyTest, Case38ALateLargestIndexIsFound) {
  uint64_t largest = 0;
  const std::vector<Row> rows = Rows("38_late_max_index.libsvm");
  EXPECT_THAT(rows, SizeIs(31));
  for (const Row& row : rows) {
    if (!row.keys.empty()) largest = std::max(largest, row.keys.back());
  }
  EXPECT_EQ(largest, 499999u);
}

TEST_F(RowFormatNastyTest, Case39FilesMayDifferInWidth) {
  EXPECT_THAT(Rows("39_width/train.libsvm"), SizeIs(2));
  EXPECT_THAT(Rows("39_width/test_narrow.libsvm"), SizeIs(1));
  EXPECT_THAT(Rows("39_width/test_wide.libsvm")[0].keys, ElementsAre(0, 11));
}

TEST_F(RowFormatNastyTest, Case40AllMembersOfAGzipFileAreRead) {
  EXPECT_THAT(Rows("40_multi_member.libsvm.gz"), SizeIs(4));
}

TEST_F(RowFormatNastyTest, Case41ATruncatedGzipFileIsNamed) {
  EXPECT_THAT(Read("41_truncated.libsvm.gz"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(Path("41_truncated.libsvm.gz")), HasSubstr("truncated"))));
}

TEST_F(RowFormatNastyTest, Case42AFileThatIsNoGzipIsNamed) {
  EXPECT_THAT(
      Read("42_not_gzip.libsvm.gz"),
      StatusIs(kInvalid, AllOf(HasSubstr(Path("42_not_gzip.libsvm.gz")), HasSubstr("not gzip"))));
}

TEST_F(RowFormatNastyTest, Case43BinaryDataIsNamedInPrintableCharacters) {
  const absl::Status status = Read("43_binary_as_text.libsvm").status();
  EXPECT_THAT(status,
              StatusIs(kInvalid, HasSubstr("43_binary_as_text.libsvm:1: label `PAR1\\x15")));
  for (const char c : status.message()) EXPECT_TRUE(c >= ' ' && c < '\x7f');
}

TEST_F(RowFormatNastyTest, Case44ALongLineIsOneRow) {
  const std::vector<Row> rows = Rows("44_long_line.libsvm");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, SizeIs(20000));
  EXPECT_THAT(rows[1].keys, SizeIs(1));
}

// Formats of other kinds of models, given as one that there is.
TEST_F(RowFormatNastyTest, Case45RatingsAreNoRowsOfFeatures) {
  ExpectBadLine("45_ratings_dup.txt", 1, "`207` has no value", LabelMap::Regression());
  // Mixed delimiters are errors by line.
  const RowFormat::Options format{.format = "csv",
                                  .columns = {.label = "2", .categorical = {"0", "1"}},
                                  .dialect = {.delimiter = " "}};
  ExpectBadLine("45_ratings_dup.txt", format, 4, "the row has 1 columns, the first row has 3",
                LabelMap::Regression());
}

TEST_F(RowFormatNastyTest, Case46TopicsAreNoLabels) {
  ExpectBadLine("46_ldac_bad.ldac", 1, "index 0 is below index_base 1", LabelMap::Regression());
  ExpectBadLine("46_ldac_bad.ldac", {.format = "libsvm", .index_base = 0}, 1,
                "label 2 is neither positive");
}

TEST_F(RowFormatNastyTest, Case47WordsAreNoRows) {
  ExpectBadLine("47_words.txt", 1, "label `I` is not a number");
}

TEST_F(RowFormatNastyTest, Case48BytesThatAreNoTextAreNamedInPrintableCharacters) {
  const absl::Status status = Read("48_invalid_utf8.txt").status();
  EXPECT_THAT(status, StatusIs(kInvalid, HasSubstr("48_invalid_utf8.txt:1: label `caf\\xe9`")));
  for (const char c : status.message()) EXPECT_TRUE(c >= ' ' && c < '\x7f');
}

TEST_F(RowFormatNastyTest, Case49AnEmptyFileIsNamed) {
  EXPECT_THAT(Read("49_empty.libsvm"),
              StatusIs(kInvalid, AllOf(HasSubstr(Path("49_empty.libsvm")), HasSubstr("no rows"))));
}

TEST_F(RowFormatNastyTest, Case50TagsAndWeightsOfVwAreNotGuessed) {
  ExpectBadLine("50_vw_tags.vw", 1, "`1` has no value");
}

}  // namespace
}  // namespace seraph
