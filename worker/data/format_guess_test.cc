// SPDX-License-Identifier: Apache-2.0
#include "worker/data/format_guess.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

// "FORMAT", with " header", " delimiter=X" and " comment=X" where they are not the format's own.
std::string Guess(const std::string& sample, const std::string& format = "", bool whole = true) {
  const absl::StatusOr<RowFormat::Options> guess = GuessFormat(sample, whole, format);
  if (!guess.ok()) return std::string(guess.status().message());
  std::string text = guess->format;
  const Dialect& dialect = guess->dialect;
  if (dialect.header) text += " header";
  if (!dialect.delimiter.empty()) absl::StrAppend(&text, " delimiter=", dialect.delimiter);
  if (!dialect.comment.empty()) absl::StrAppend(&text, " comment=", dialect.comment);
  return text;
}

TEST(FormatGuessTest, IndexedFormatsAreToldByTheirTokens) {
  EXPECT_EQ(Guess("1 0:5:0.5 1:7:1\n0 0:5:1\n"), "libffm");
  EXPECT_EQ(Guess("+1 1:0.5 7:1\n\n-1 qid:3 5:1 # x\n"), "libsvm");
  EXPECT_EQ(Guess("1 5 7 9\n0 2 11\n"), "dummy");
  EXPECT_EQ(Guess("1\n0\n1 3:1\n"), "libsvm");
  EXPECT_EQ(Guess("1\n0\n"), "libsvm");
}

TEST(FormatGuessTest, ColumnsAreToldByTheDelimiterThatCutsAllRowsAlike) {
  EXPECT_EQ(Guess("1,2,3\n4,,6\n"), "csv");
  EXPECT_EQ(Guess("1\t2\t3\n4\t\t6\n"), "tsv");
  EXPECT_EQ(Guess("1;2,5;3\n4;;6,1\n"), "csv delimiter=;");
  EXPECT_EQ(Guess("1|2|3\n4||6\n"), "csv delimiter=|");
  EXPECT_EQ(Guess("15 -1 0.027 -0.5\n7 -1 0.25 0\n"), "csv delimiter= ");
  // Whole numbers that do not ascend are columns too.
  EXPECT_EQ(Guess("1 9 3 3\n0 2 7 1\n"), "csv delimiter= ");
  EXPECT_EQ(Guess("1,\"a;b;c\",3\n2,\"d;e\nf;g\",4\n"), "csv");
  EXPECT_EQ(Guess("# made by hand\n1,2\n3,4\n"), "csv comment=#");
}

TEST(FormatGuessTest, WordsOverNumbersAreAHeader) {
  EXPECT_EQ(Guess("label,f1,f2\n1,0.5,x\n"), "csv header");
  EXPECT_EQ(Guess("y\ta\n1\t\n0\t3\n"), "tsv header");
  EXPECT_EQ(Guess("x,0.5\ny,1\n"), "csv");  // A number among them.
  EXPECT_EQ(Guess("a,a\n1,2\n"), "csv");    // A word twice.
  EXPECT_EQ(Guess("a,b\nx,y\n"), "csv");    // No numbers anywhere.
  EXPECT_EQ(Guess("a,\n1,2\n"), "csv");     // A column without a name.
}

TEST(FormatGuessTest, AFewBadLinesDoNotMatter) {
  std::string libsvm, csv;
  for (int i = 0; i < 20; ++i) absl::StrAppend(&libsvm, i % 2, " ", i + 1, ":0.5\n");
  for (int i = 0; i < 20; ++i) absl::StrAppend(&csv, i % 2, ",", i, ",x\n");
  EXPECT_EQ(Guess("rubbish\n" + libsvm + "1 3\n"), "libsvm");
  EXPECT_EQ(Guess("1,2\n" + csv + "1,2,3,4\n"), "csv");
}

TEST(FormatGuessTest, ALineThatIsCutOffIsLeftAside) {
  EXPECT_EQ(Guess("1,2,3\n4,5,6\n7,8", "", /*whole=*/false), "csv");
  EXPECT_EQ(Guess("1 1:2 3:4", "", /*whole=*/false), "libsvm");  // All of one long line.
}

TEST(FormatGuessTest, TextsAreNoData) {
  EXPECT_THAT(Guess("It was a dark and stormy night.\n\nThe rain fell.\n"),
              HasSubstr("the text is in none of the formats csv, dummy, libffm"));
  EXPECT_THAT(Guess(""), HasSubstr("none of the formats"));
  EXPECT_THAT(Guess(std::string("PAR1\x15\0\xff\n\0\0", 10)), HasSubstr("none of the formats"));
}

TEST(FormatGuessTest, OfAKnownFormatTheDialectIsGuessed) {
  EXPECT_EQ(Guess("y;a\n1;2\n", "csv"), "csv header delimiter=;");
  EXPECT_EQ(Guess("y\ta\n1\t2\n", "csv"), "csv header delimiter=\t");
  EXPECT_EQ(Guess("y\ta\n1\t2\n", "tsv"), "tsv header");
  EXPECT_EQ(Guess("whatever", "libsvm"), "libsvm");
  EXPECT_THAT(Guess("1 1:1\n", "libsmv"), HasSubstr("did you mean libsvm"));
}

}  // namespace
}  // namespace seraph
