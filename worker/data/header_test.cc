// SPDX-License-Identifier: Apache-2.0
#include "worker/data/header.h"

#include <string>

#include "gtest/gtest.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

class HeaderTest : public DataSetFixture {
 protected:
  static absl::StatusOr<std::vector<std::string>> Names(const std::string& path) {
    return ReadHeader({.path = path,
                       .format = {.format = "csv",
                                  .dialect = {.header = true, .delimiter = ";", .comment = "#"}}});
  }
};

TEST_F(HeaderTest, NamesAreCutLikeFields) {
  const std::string text = "\xef\xbb\xbf\n# made by hand\n y ; \"a;\nb\"\r\n1;2\n";
  EXPECT_THAT(*Names(Write("a.csv", text)), ElementsAre("y", "a;\nb"));
  EXPECT_THAT(*Names(Write("b.csv", "y")), ElementsAre("y"));
}

TEST_F(HeaderTest, ACompressedFileIsInflatedNoFurtherThanItsStart) {
  const std::string text = "y;a\n" + std::string(16 << 20, '#') + "\n1;2\n";
  EXPECT_THAT(*Names(Write("a.csv.gz", Gzip(text))), ElementsAre("y", "a"));
  EXPECT_THAT(*Names(Write("a.csv.zst", Zstd(text))), ElementsAre("y", "a"));
  EXPECT_THAT(*Names(Write("b.csv.gz", Gzip("y;a"))), ElementsAre("y", "a"));
}

TEST_F(HeaderTest, WhatIsNoHeaderIsNamed) {
  const std::string empty = Write("a.csv", "\n# none\n");
  EXPECT_THAT(Names(empty), StatusIs(kInvalid, AllOf(HasSubstr(empty), HasSubstr("no rows"))));
  const std::string broken = Write("b.csv", "\n\"y\" x;a\n");
  EXPECT_THAT(Names(broken), StatusIs(kInvalid, HasSubstr(broken + ":2: `x` follows")));
  const std::string open = Write("c.csv", "\"y;a\n1;2\n");
  EXPECT_THAT(Names(open), StatusIs(kInvalid, HasSubstr(open + ":1: the quote before")));
  const std::string large = Write("d.csv", std::string(5 << 20, 'x'));
  EXPECT_THAT(Names(large), StatusIs(kInvalid, large + ":1: the header is longer than 4 MiB"));
  EXPECT_THAT(Names(Path("none")), StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
}

}  // namespace
}  // namespace seraph
