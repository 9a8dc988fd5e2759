// SPDX-License-Identifier: Apache-2.0
#include "transport/host_port.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(HostPortTest, ReadsNamesAndNumbers) {
  for (const char* address :
       {"127.0.0.1:7700", "localhost:0", "node-1.example:65535", "[::1]:80"}) {
    ASSERT_OK(ParseHostPort(address)) << address;
    EXPECT_EQ(ParseHostPort(address)->ToString(), address);
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

TEST(HostPortTest, ListeningOnForeignAddressesIsRefusedWithTheReason) {
  EXPECT_OK(CheckCanListen({"127.0.0.1", 0}));
  EXPECT_THAT(CheckCanListen({"192.0.2.1", 80}),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("192.0.2.1:80"), HasSubstr("assign requested address"))));
  EXPECT_THAT(CheckCanListen({"no-such-host.invalid", 80}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no-such-host.invalid:80")));
}

}  // namespace
}  // namespace seraph
