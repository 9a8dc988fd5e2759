// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/scalar_text.h"

#include <gtest/gtest.h>

namespace seraph {
namespace {

TEST(ScalarTextTest, NumbersAreDecimal) {
  for (const char* text : {"0", "-1", "+7", "007"}) EXPECT_TRUE(IsDecimalInteger(text)) << text;
  for (const char* text : {"", "-", "1.0", "0x10", "1e3", " 1"}) {
    EXPECT_FALSE(IsDecimalInteger(text)) << text;
  }
  for (const char* text : {"1", "1.", ".5", "-1.5e-06", "1E5"}) {
    EXPECT_TRUE(IsDecimalNumber(text)) << text;
  }
  for (const char* text : {"", ".", "e5", "1e", "0x1p3", "inf", "1 "}) {
    EXPECT_FALSE(IsDecimalNumber(text)) << text;
  }
}

TEST(ScalarTextTest, RefusesWhatIsNotUtf8) {
  EXPECT_TRUE(IsUtf8("h\xc3\xa9llo \xe2\x82\xac \xf0\x9f\x98\x80"));
  EXPECT_FALSE(IsUtf8("\xc3"));
  EXPECT_FALSE(IsUtf8("\xff"));
  EXPECT_FALSE(IsUtf8("\xc0\x80"));
  EXPECT_FALSE(IsUtf8("\xe0\x80\x80"));
  EXPECT_FALSE(IsUtf8("\xed\xa0\x80"));
  EXPECT_FALSE(IsUtf8("\xf4\x90\x80\x80"));
  EXPECT_FALSE(IsUtf8(std::string("a\0b", 3)));
}

TEST(ScalarTextTest, ShowsNothingThatATerminalActsOn) {
  EXPECT_EQ(Printable("a\x1b[31mb\n\xff\xc2\x9b"), "a?[31mb???");
  EXPECT_EQ(Printable(std::string(80, 'x')), std::string(60, 'x') + "...");
}

TEST(ScalarTextTest, QuotesTextsThatYamlWouldReadOtherwise) {
  EXPECT_EQ(YamlText("census-fm"), "census-fm");
  EXPECT_EQ(YamlText("/data/train.libsvm"), "/data/train.libsvm");
  EXPECT_EQ(YamlText("cpu:1"), "cpu:1");
  for (const char* text : {"", "5", "1e5", "true", "Null", "no", "a: b", "- x", "#c", "a b", "~"}) {
    EXPECT_EQ(YamlText(text), std::string("\"") + text + "\"");
  }
  EXPECT_EQ(YamlText("a\"b\\\n"), "\"a\\\"b\\\\\\x0a\"");
}

}  // namespace
}  // namespace seraph
