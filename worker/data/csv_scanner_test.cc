// SPDX-License-Identifier: Apache-2.0
#include "worker/data/csv_scanner.h"

#include <string>
#include <vector>

#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

absl::StatusOr<std::vector<std::string>> Cut(absl::string_view record, CsvSyntax syntax = {}) {
  CsvScanner scanner(syntax, record);
  std::vector<std::string> fields;
  absl::string_view field;
  while (true) {
    const absl::StatusOr<bool> more = scanner.Next(&field);
    if (!more.ok()) return more.status();
    if (!*more) return fields;
    fields.emplace_back(field);
  }
}

TEST(CsvScannerTest, DelimitersCutAndEmptyFieldsCount) {
  EXPECT_THAT(*Cut("a,b,c"), ElementsAre("a", "b", "c"));
  EXPECT_THAT(*Cut("a"), ElementsAre("a"));
  EXPECT_THAT(*Cut(""), ElementsAre(""));
  EXPECT_THAT(*Cut(",,"), ElementsAre("", "", ""));
  EXPECT_THAT(*Cut("a,"), ElementsAre("a", ""));
  EXPECT_THAT(*Cut("a;b,c", {.delimiter = ';'}), ElementsAre("a", "b,c"));
  EXPECT_THAT(*Cut("0\t\t-1\t\t", {.delimiter = '\t'}), ElementsAre("0", "", "-1", "", ""));
}

TEST(CsvScannerTest, BlanksAroundAFieldAreNoPartOfIt) {
  EXPECT_THAT(*Cut(" a , b c\t,\t d"), ElementsAre("a", "b c", "d"));
  EXPECT_THAT(*Cut("  "), ElementsAre(""));
  EXPECT_THAT(*Cut("39, State-gov, \"a, b\" ,x"), ElementsAre("39", "State-gov", "a, b", "x"));
  EXPECT_THAT(*Cut(" a \t b ", {.delimiter = '\t'}), ElementsAre("a", "b"));
  // A blank that delimits is none.
  EXPECT_THAT(*Cut("a  b ", {.delimiter = ' '}), ElementsAre("a", "", "b", ""));
}

TEST(CsvScannerTest, QuotesKeepWhatTheyHold) {
  EXPECT_THAT(*Cut(R"("a,b","c ""d"" e","","""")"), ElementsAre("a,b", "c \"d\" e", "", "\""));
  EXPECT_THAT(*Cut("\"two\nlines\r\n\",1"), ElementsAre("two\nlines\r\n", "1"));
  EXPECT_THAT(*Cut("\" a \",b"), ElementsAre(" a ", "b"));
  EXPECT_THAT(*Cut("'a,b',\"c\"", {.quote = '\''}), ElementsAre("a,b", "\"c\""));
}

TEST(CsvScannerTest, AQuoteWithinAFieldIsACharacter) {
  EXPECT_THAT(*Cut("4,unquoted \"inner\" quote,y"),
              ElementsAre("4", "unquoted \"inner\" quote", "y"));
  EXPECT_THAT(*Cut("5\" pipe,x"), ElementsAre("5\" pipe", "x"));
}

TEST(CsvScannerTest, WithoutAQuoteCharacterNothingIsQuoted) {
  EXPECT_THAT(*Cut("\"a,b\"", {.quote = '\0'}), ElementsAre("\"a", "b\""));
  EXPECT_FALSE(EndsInQuotes({.quote = '\0'}, "\"a", false));
}

TEST(CsvScannerTest, TheCarriageReturnAtTheEndIsTheLineEnds) {
  EXPECT_THAT(*Cut("a,b\r"), ElementsAre("a", "b"));
  EXPECT_THAT(*Cut("a,\"b\"\r"), ElementsAre("a", "b"));
  EXPECT_THAT(*Cut("a,\r"), ElementsAre("a", ""));
  EXPECT_THAT(*Cut("a\rb,c"), ElementsAre("a\rb", "c"));
}

TEST(CsvScannerTest, BrokenQuotesAreNamed) {
  EXPECT_THAT(Cut("1,\"abc"), StatusIs(kInvalid, "the quote before `abc` is never closed"));
  EXPECT_THAT(Cut("1,\"abc\"d,2"), StatusIs(kInvalid, "`d` follows the closing quote of `abc`"));
  EXPECT_THAT(Cut("\"a\" \"b\""), StatusIs(kInvalid, HasSubstr("follows the closing quote")));
  EXPECT_THAT(Cut("\"a\"\"\"\""), StatusIs(kInvalid, HasSubstr("never closed")));
}

TEST(CsvScannerTest, ALineEndsInQuotesOrNot) {
  const CsvSyntax syntax;
  for (const std::string line : {"", "a,b", "\"a\"", "\"a\"\"b\",c", "a\"b", "x,y\"\"", "\"a\"b\"",
                                 "\"a\"\r", "\"\"", "a, \"b\" "}) {
    EXPECT_FALSE(EndsInQuotes(syntax, line, false)) << line;
  }
  for (const std::string line :
       {"\"", "\"a", "a,\"b", " \"a", "\"a\"\"", "a,\"b\"\"\"\"", "\"a\r"}) {
    EXPECT_TRUE(EndsInQuotes(syntax, line, false)) << line;
  }
  for (const std::string line : {"", "abc", "a,b", "a\"\"", "\",\"x"}) {
    EXPECT_TRUE(EndsInQuotes(syntax, line, true)) << line;
  }
  for (const std::string line : {"\"", "a\"", "a\",b", "\"\"\"", "\"x\"", "a\"\r"}) {
    EXPECT_FALSE(EndsInQuotes(syntax, line, true)) << line;
  }
}

// Cuts a random text into records the way a reader does, and scans each: whatever the text, a
// record that ended is either cut or wrong behind a closing quote, never unclosed.
TEST(CsvScannerTest, EndsOfRecordsAndFieldsAgreeForAnyText) {
  constexpr char kAlphabet[] = {'"', ',', '\n', ' ', 'x', '\r', '\t'};
  SplitMix64 random(7);
  const CsvSyntax syntax;
  for (int i = 0; i < 20000; ++i) {
    std::string text;
    for (uint64_t n = random.NextBelow(24); n > 0; --n) {
      text += kAlphabet[random.NextBelow(sizeof(kAlphabet))];
    }
    std::vector<std::string> record;
    bool inside = false;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      record.emplace_back(line);
      inside = EndsInQuotes(syntax, line, inside);
      if (inside) continue;
      const auto fields = Cut(absl::StrJoin(record, "\n"));
      if (!fields.ok()) {
        EXPECT_THAT(fields, StatusIs(kInvalid, HasSubstr("follows the closing quote"))) << text;
      }
      record.clear();
    }
    if (inside) {
      const auto fields = Cut(absl::StrJoin(record, "\n"));
      EXPECT_FALSE(fields.ok()) << text;
    }
  }
}

}  // namespace
}  // namespace seraph
