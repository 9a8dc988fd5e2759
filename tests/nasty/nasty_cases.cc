// SPDX-License-Identifier: Apache-2.0
#include "tests/nasty/nasty_cases.h"

#include <cstdlib>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace seraph {
namespace {

constexpr char kBase0[] = "format: libsvm, index_base: 0";
constexpr char kBase1[] = "format: libsvm, index_base: 1";
constexpr char kSkip[] = "format: libsvm, index_base: 1, on_bad_row: skip";

NastyOutcome Rows(uint64_t rows, uint64_t skipped = 0) {
  return {.rows = rows, .skipped = skipped, .error = {}, .line = 0};
}
NastyOutcome Bad(int line, const std::string& error) {
  return {.rows = 0, .skipped = 0, .error = error, .line = line};
}

// Of columns: what stands in one is read as the job says, the label by no scorer.
std::vector<NastyCase> Csv() {
  const std::string quoting =
      "format: csv, header: true, columns: {label: label, numeric: [ID], categorical: [Text, "
      "income]}";
  return {
      {11, "PartsOfAFolder", "11_noeol_parts", "format: csv", Rows(3), {}, "linear"},
      {12, "ByteOrderMarkAtTheStart", "12_bom.csv", "format: csv", Rows(2)},
      {12, "AsLibsvm", "12_bom.csv", kBase1, Bad(1, "label `1,0.5` is not a number")},
      {13, "ByteOrderMarkOnEachLine", "13_bom_each_line.csv", "format: csv",
       Bad(2, "label `\\xef\\xbb\\xbf0` is not a number"), Rows(3), "lr", "1,0.5\n0,0.25\n"},
      {13, "Skipped", "13_bom_each_line.csv", "format: csv, on_bad_row: skip", Rows(1, 2), Rows(3)},
      {28, "QuotesOfRfc4180", "28_quoting.csv", quoting, Rows(4)},
      {29,
       "NothingStated",
       "29_missing.csv",
       "format: csv",
       Bad(3, "column 2: value `NA` is not a number"),
       {},
       "linear",
       "1,2,3,4\n"},
      {29,
       "NaStated",
       "29_missing.csv",
       "format: csv, missing: [NA]",
       Bad(3, "column 3: value `?` is not a number"),
       {},
       "linear",
       "1,2,3,4\n"},
      {11, "AsLibsvm", "11_noeol_parts", kSkip, Rows(0, 3), Bad(0, "part-0.csv:1: label ")},
      {29,
       "Categories",
       "29_missing.csv",
       "format: csv, missing: [NA, \"?\"], columns: {categorical: [1..3]}",
       Rows(3),
       {},
       "linear"},
      {29,
       "AllStated",
       "29_missing.csv",
       "format: csv, missing: [NA, \"?\"]",
       Rows(3),
       {},
       "linear"},
      {30,
       "Ragged",
       "30_ragged.csv",
       "format: csv, header: true",
       Bad(3, "the row has 2 columns, the header has 3"),
       {},
       "lr",
       "a,b,c\n1,2,3\n"},
      {30, "Skipped", "30_ragged.csv", "format: csv, header: true, on_bad_row: skip", Rows(1, 2),
       Bad(3, "the row has 2 columns, the header has 3")},
      {31, "CsvAsLibsvm", "31_csv_as_libsvm.libsvm", kBase1,
       Bad(1, "label `1,0.5,3` is not a number")},
      {32, "HeaderNotStated", "32_header.csv", "format: csv",
       Bad(1, "label `label` is not a number"), Bad(1, "value `f1` is not a number"), "lr",
       "1,2,3\n0,1,2\n"},
      {32, "HeaderStated", "32_header.csv", "format: csv, header: true", Rows(2)},
      {33,
       "DecimalComma",
       "33_decimal_comma.csv",
       "format: csv, header: true, delimiter: \";\"",
       Bad(2, "column 1 (`w`): value `5,1` is not a number"),
       {},
       "lr",
       "Label;w;h\n1;2;3\n"},
      {33,
       "DelimiterNotStated",
       "33_decimal_comma.csv",
       "format: csv, header: true",
       Bad(2, "the row has 3 columns, the header has 1"),
       {},
       "lr",
       "Label;w;h\n1\n"},
      {34, "TrailingTabs", "34_criteo_trailing_tabs.tsv",
       "format: tsv, columns: {numeric: [1..13], categorical: [14..39]}", Rows(1)},
      {34,
       "ColumnsThatAreNotThere",
       "34_criteo_trailing_tabs.tsv",
       "format: tsv, columns: {categorical: [14..40]}",
       Bad(1, "there is no column 14..40: the columns are 0 to 39"),
       {},
       "lr",
       "1" + std::string(40, '\t') + "\n"},
      {45,
       "MixedDelimiters",
       "45_ratings_dup.txt",
       "format: csv, delimiter: \" \", columns: {label: 2, categorical: [0, 1]}",
       Bad(4, "the row has 1 columns, the first row has 3"),
       {},
       "linear",
       "1 2 3\n"},
  };
}

// Of one row a line, features as index:value.
std::vector<NastyCase> Libsvm() {
  return {
      {1, "Base0", "01_index0.libsvm", kBase0, Rows(4)},
      {1, "Base1", "01_index0.libsvm", kBase1, Bad(2, "index 0 is below index_base 1")},
      {2, "Train", "02_base_pair/train.libsvm", kBase0, Rows(2)},
      {2, "Test", "02_base_pair/test.libsvm", kBase0, Rows(2)},
      {2, "TestInBase1", "02_base_pair/test.libsvm", kBase1,
       Bad(1, "index 0 is below index_base 1")},
      {3, "RepeatedIndices", "03_dup_index.libsvm", kBase1, Rows(3)},
      {4, "Unsorted", "04_unsorted.libsvm", kBase1, Rows(2)},
      {5, "LabelsAlone", "05_label_only.libsvm", kBase1, Rows(4)},
      {6, "BlankLines", "06_empty_lines.libsvm", kBase1, Rows(3)},
      {7, "TrailingBlanks", "07_trailing_space.libsvm", kBase1, Rows(3)},
      {8, "BlanksAndTabs", "08_odd_blanks.libsvm", kBase1, Rows(3)},
      {9, "CarriageReturns", "09_crlf.libsvm", kBase1, Rows(4)},
      {10, "NoLastLineEnd", "10_noeol.libsvm", kBase1, Rows(4)},
      {14, "IndexWithoutValue", "14_missing_value.libsvm", kBase1, Bad(2, "`3` has no value")},
      {14, "Skipped", "14_missing_value.libsvm", kSkip, Rows(1, 2), Bad(2, "`3` has no value")},
      {15, "TextLabel", "15_text_label.libsvm", kBase1,
       Bad(2, "label `abcd-1234` is not a number")},
      {16, "LabelsNotFinite", "16_nan_label.libsvm", kBase1, Bad(2, "label `nan` is not a number")},
      {16,
       "OfARegression",
       "16_nan_label.libsvm",
       kBase1,
       Bad(2, "label `nan` is not a number"),
       {},
       "linear"},
      {16, "Skipped", "16_nan_label.libsvm", kSkip, Rows(2, 2),
       Bad(2, "label `nan` is not a number")},
      {17, "ValuesNotFinite", "17_nan_value.libsvm", kBase1, Bad(1, "value `nan` is not a number")},
      {17, "Skipped", "17_nan_value.libsvm", kSkip, Rows(0, 3),
       Bad(1, "value `nan` is not a number")},
      {18, "ValueTooLarge", "18_huge_value.libsvm", kBase1,
       Bad(2, "value `1.79769313486e+308` is too large")},
      {18, "Skipped", "18_huge_value.libsvm", kSkip, Rows(2, 1),
       Bad(2, "value `1.79769313486e+308` is too large")},
      {19, "IndicesOf64Bits", "19_index_64bit.libsvm", kBase0, Rows(4)},
      {20, "IndexBeyond64Bits", "20_index_over_uint64.libsvm", kBase1,
       Bad(1, "`18446744073709551616` does not fit in 64 bits")},
      {21, "NegativeIndex", "21_negative_index.libsvm", kBase1, Bad(1, "index `-1` is negative")},
      {22, "Qid", "22_qid.libsvm", kBase1, Rows(3)},
      {23, "Comments", "23_comments.libsvm", kBase1, Rows(2)},
      {24, "HexadecimalValue", "24_floats.libsvm", kBase1,
       Bad(3, "value `0x1p-2` is not a number")},
      {24, "Skipped", "24_floats.libsvm", kSkip, Rows(2, 1),
       Bad(3, "value `0x1p-2` is not a number")},
      {25, "MixedLabels", "25_labels_mixed.libsvm", kBase1, Rows(5)},
      {26, "OtherLabels", "26_labels_multiclass.libsvm", kBase1,
       Bad(1, "label 7 is neither positive"), Rows(5)},
      {26, "OfThreeClasses", "26_labels_multiclass.libsvm", kBase1,
       Bad(1, "label 7 is not one of the classes 0 to 2"), Rows(5), "softmax, classes: 3"},
      {27, "SeveralLabels", "27_multilabel.libsvm", kBase1, Bad(1, "label `2,3` is not a number")},
      {27, "Skipped", "27_multilabel.libsvm", kSkip, Rows(0, 3),
       Bad(1, "label `2,3` is not a number")},
      {36, "RowsOfAnyLength", "36_varying_fields.libsvm", kBase1, Rows(3)},
      {37, "OneClass", "37_one_class.libsvm", kBase1, Rows(3)},
      {38, "LateLargestIndex", "38_late_max_index.libsvm", kBase1, Rows(31)},
      {39, "Train", "39_width/train.libsvm", kBase1, Rows(2)},
      {39, "Narrow", "39_width/test_narrow.libsvm", kBase1, Rows(1)},
      {39, "Wide", "39_width/test_wide.libsvm", kBase1, Rows(1)},
      {40, "TwoGzipMembers", "40_multi_member.libsvm.gz", kBase1, Rows(4)},
      {41, "TruncatedGzip", "41_truncated.libsvm.gz", kBase1, Bad(0, "truncated")},
      {42, "NotGzip", "42_not_gzip.libsvm.gz", kBase1, Bad(0, "not gzip")},
      {43, "BinaryData", "43_binary_as_text.libsvm", kBase1, Bad(1, "label `PAR1\\x15")},
      {44, "LongLine", "44_long_line.libsvm", kBase1, Rows(2)},
      {49, "Empty", "49_empty.libsvm", kBase1, Bad(0, "49_empty.libsvm")},
  };
}

// Of other kinds of models and formats: given as one that there is, or by their own name.
std::vector<NastyCase> Others() {
  const auto not_offered = [](int number, const std::string& path, const std::string& format) {
    return NastyCase{.number = number,
                     .name = "NotOffered",
                     .path = path,
                     .data = "format: " + format,
                     .outcome = Bad(0, format),
                     .offered = false};
  };
  return {
      {35,
       "LibffmTokenOfTwoParts",
       "35_ffm_bad.ffm",
       "format: libffm, index_base: 0",
       Bad(1, "`34:1` is not of the form field:index:value"),
       {},
       "lr",
       "1 0:1:1\n0 1:2:1\n"},
      {35, "Skipped", "35_ffm_bad.ffm", "format: libffm, index_base: 0, on_bad_row: skip",
       Rows(5, 1), Bad(1, "`34:1` is not of the form field:index:value")},
      {35, "FieldAware", "35_ffm_bad.ffm", "format: libffm, index_base: 0, on_bad_row: skip",
       Rows(5, 1), Bad(1, "`34:1` is not of the form field:index:value"), "ffm"},
      {45,
       "RatingsAsLibsvm",
       "45_ratings_dup.txt",
       kBase1,
       Bad(1, "`207` has no value"),
       {},
       "linear"},
      not_offered(45, "45_ratings_dup.txt", "ratings"),
      {46,
       "TopicsAsLibsvm",
       "46_ldac_bad.ldac",
       kBase1,
       Bad(1, "index 0 is below index_base 1"),
       {},
       "linear"},
      {46, "TopicsAsLibsvmInBase0", "46_ldac_bad.ldac", kBase0,
       Bad(1, "label 2 is neither positive"), Rows(6)},
      not_offered(46, "46_ldac_bad.ldac", "ldac"),
      {47, "WordsAsLibsvm", "47_words.txt", kBase1, Bad(1, "label `I` is not a number")},
      not_offered(47, "47_words.txt", "text"),
      {48, "BytesAsLibsvm", "48_invalid_utf8.txt", kBase1, Bad(1, "label `caf\\xe9`")},
      not_offered(48, "48_invalid_utf8.txt", "text"),
      {50, "VwAsLibsvm", "50_vw_tags.vw", kBase1, Bad(1, "`1` has no value")},
      not_offered(50, "50_vw_tags.vw", "vw"),
  };
}

}  // namespace

const std::vector<NastyCase>& NastyCases() {
  static const auto* const cases = [] {
    auto* const all = new std::vector<NastyCase>;
    for (const auto& part : {Libsvm(), Csv(), Others()}) {
      all->insert(all->end(), part.begin(), part.end());
    }
    return all;
  }();
  return *cases;
}

std::string NameOf(const NastyCase& nasty) {
  return absl::StrFormat("Case%02d%s", nasty.number, nasty.name);
}

void PrintTo(const NastyCase& nasty, std::ostream* out) {
  *out << nasty.path << " as " << nasty.data << ", " << nasty.model;
}

std::string JobOf(const NastyCase& nasty, const std::string& path, const std::string& model) {
  return absl::StrCat("model: {type: ", nasty.model, "}\ndata: {train: \"", path, "\", ",
                      nasty.data,
                      "}\ntrain: {epochs: 1, batch_size: 64}\ncluster: {servers: 1, workers: 1}\n"
                      "output: {model: \"",
                      model, "\"}\n");
}

std::optional<std::string> NastyFolder() {
  const char* const shared = std::getenv("SERAPH_SHARED_DATA");
  if (shared == nullptr || *shared == '\0') return std::nullopt;
  return absl::StrCat(shared, "/nasty/");
}

}  // namespace seraph
