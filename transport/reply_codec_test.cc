// SPDX-License-Identifier: Apache-2.0
#include "transport/reply_codec.h"

#include <string>

#include "common/hint.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

TEST(ReplyCodecTest, FramesPassAsTheyAre) {
  Frame frame;
  frame.header.mutable_data_reply();
  frame.payload = Payload::Uninitialized(8);
  const uint8_t* const bytes = frame.payload.data();
  absl::StatusOr<Frame> back = DecodeReply(EncodeReply(std::move(frame)));
  ASSERT_OK(back);
  EXPECT_TRUE(back->header.has_data_reply());
  EXPECT_EQ(back->payload.data(), bytes);
}

TEST(ReplyCodecTest, EveryErrorCodeRoundTripsWithItsMessageAndHint) {
  const std::string message("table weights:\n\xff\0 bytes", 22);
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status =
        WithHint(absl::Status(static_cast<absl::StatusCode>(code), message), "try again");
    EXPECT_EQ(DecodeReply(EncodeReply(status)).status(), status);
  }
}

TEST(ReplyCodecTest, UnknownErrorCodesBecomeUnknown) {
  for (const uint32_t code : {0u, 17u, ~0u}) {
    Frame frame;
    frame.header.mutable_error()->set_code(code);
    frame.header.mutable_error()->set_message("later");
    EXPECT_THAT(DecodeReply(std::move(frame)), StatusIs(absl::StatusCode::kUnknown, "later"));
  }
}

}  // namespace
}  // namespace seraph
