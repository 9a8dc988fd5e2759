// SPDX-License-Identifier: Apache-2.0
#include "transport/listen_probe.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TEST(ListenProbeTest, ListeningOnForeignAddressesIsRefusedWithTheReason) {
  EXPECT_OK(CheckCanListen({"127.0.0.1", 0}));
  EXPECT_THAT(CheckCanListen({"192.0.2.1", 80}),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr("192.0.2.1:80"), HasSubstr("assign requested address"))));
  EXPECT_THAT(CheckCanListen({"no-such-host.invalid", 80}),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("no-such-host.invalid:80")));
}

}  // namespace
}  // namespace seraph
