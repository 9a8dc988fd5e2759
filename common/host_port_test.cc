// SPDX-License-Identifier: Apache-2.0
#include "common/host_port.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

TEST(HostPortTest, ReadsNamesAndNumbers) {
  for (const char* address :
       {"127.0.0.1:7700", "localhost:0", "node-1.example:65535", "[::1]:80"}) {
    ASSERT_OK(ParseHostPort(address)) << address;
    EXPECT_EQ(ParseHostPort(address)->ToString(), address);
    EXPECT_EQ(ParseHostPort(address, 1)->ToString(), address);
  }
  EXPECT_EQ(ParseHostPort("[::1]:80")->host, "::1");
  EXPECT_EQ(ParseHostPort("[::1]:80")->port, 80);
}

TEST(HostPortTest, RefusesEverythingElseQuotingIt) {
  for (const char* address :
       {"", "localhost", ":7700", "a:", "a:65536", "a:-1", "a:+1", "a:1x", "a: 1", "a:000080",
        "::1:80", "[]:80", "[::1:80", "::1]:80", "http://a:80", "a b:80"}) {
    EXPECT_THAT(ParseHostPort(address), StatusIs(absl::StatusCode::kInvalidArgument,
                                                 HasSubstr(absl::StrCat("\"", address, "\""))));
  }
}

TEST(HostPortTest, AHostAloneTakesTheDefaultPort) {
  EXPECT_EQ(ParseHostPort("node-1", 7700)->ToString(), "node-1:7700");
  EXPECT_EQ(ParseHostPort("[::1]", 7700)->ToString(), "[::1]:7700");
  for (const char* address : {"", "::1", "[]", "[::1", "a b", "a/b", "a:"}) {
    EXPECT_THAT(ParseHostPort(address, 1), StatusIs(absl::StatusCode::kInvalidArgument,
                                                    HasSubstr(absl::StrCat("\"", address, "\""))));
  }
}

TEST(HostPortTest, LoopbackIsAMatterOfNumbersAndOneName) {
  for (const char* host : {"localhost", "127.0.0.1", "127.1.2.3", "::1", "0:0:0:0:0:0:0:1"}) {
    EXPECT_TRUE((HostPort{host, 1}.IsLoopback())) << host;
  }
  for (const char* host : {"127.evil.example", "127.1", "0.0.0.0", "::", "10.0.0.1", "host",
                           "localhost.example", "::ffff:10.0.0.1"}) {
    EXPECT_FALSE((HostPort{host, 1}.IsLoopback())) << host;
  }
}

}  // namespace
}  // namespace seraph
