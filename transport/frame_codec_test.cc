// SPDX-License-Identifier: Apache-2.0
#include "transport/frame_codec.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "transport/channel.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

Frame MakeFrame(size_t payload_bytes) {
  Frame frame;
  frame.header.mutable_control_request()->mutable_list_nodes();
  frame.payload = Payload::Uninitialized(payload_bytes);
  for (size_t i = 0; i < payload_bytes; ++i) frame.payload.data()[i] = static_cast<uint8_t>(i * 7);
  return frame;
}

std::string Encode(const Frame& frame) {
  std::string bytes = EncodeFrameHead(frame).value();
  if (!frame.payload.empty()) {
    bytes.append(reinterpret_cast<const char*>(frame.payload.data()), frame.payload.size());
  }
  return bytes;
}

absl::StatusOr<Frame> Decode(absl::string_view bytes) {
  return DecodeFrame(absl::MakeConstSpan(&bytes, 1));
}

std::string Preamble(uint32_t header_bytes, uint64_t payload_bytes) {
  std::string bytes = "SRF1";
  for (int i = 0; i < 4; ++i) bytes.push_back(static_cast<char>(header_bytes >> (8 * i)));
  for (int i = 0; i < 8; ++i) bytes.push_back(static_cast<char>(payload_bytes >> (8 * i)));
  return bytes;
}

void ExpectSame(const absl::StatusOr<Frame>& decoded, const Frame& frame) {
  ASSERT_OK(decoded);
  EXPECT_EQ(decoded->header.SerializeAsString(), frame.header.SerializeAsString());
  ASSERT_EQ(decoded->payload.size(), frame.payload.size());
  if (frame.payload.empty()) return;
  EXPECT_EQ(std::memcmp(decoded->payload.data(), frame.payload.data(), frame.payload.size()), 0);
}

TEST(FrameCodecTest, LayoutIsTheDocumentedOne) {
  const Frame frame = MakeFrame(3);
  const std::string header = frame.header.SerializeAsString();
  const std::string payload("\x00\x07\x0e", 3);
  EXPECT_EQ(Encode(frame), Preamble(static_cast<uint32_t>(header.size()), 3) + header + payload);
}

TEST(FrameCodecTest, RoundTripsWithAndWithoutHeaderAndPayload) {
  for (const size_t payload_bytes : {0, 1, 63, 64, 65, 100000}) {
    const Frame frame = MakeFrame(payload_bytes);
    ExpectSame(Decode(Encode(frame)), frame);
  }
  ExpectSame(Decode(Preamble(0, 0)), Frame());
}

TEST(FrameCodecTest, DecodedPayloadIsAligned) {
  const absl::StatusOr<Frame> frame = Decode(Encode(MakeFrame(100)));
  ASSERT_OK(frame);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(frame->payload.data()) % 64, 0u);
}

TEST(FrameCodecTest, DecodesHoweverTheBytesAreCut) {
  const Frame frame = MakeFrame(40);
  const std::string bytes = Encode(frame);
  SplitMix64 random(1);
  for (int round = 0; round < 200; ++round) {
    std::vector<absl::string_view> pieces;
    for (size_t at = 0; at < bytes.size();) {
      const size_t n = random.NextBelow(std::min<size_t>(bytes.size() - at, 20) + 1);
      pieces.push_back(absl::string_view(bytes).substr(at, n));  // Empty ones too.
      at += n;
    }
    pieces.emplace_back();
    ExpectSame(DecodeFrame(pieces), frame);
  }
}

TEST(FrameCodecTest, EveryShorterInputIsRefusedNamingBothSizes) {
  const std::string bytes = Encode(MakeFrame(20));
  for (size_t n = 0; n < bytes.size(); ++n) {
    EXPECT_THAT(Decode(absl::string_view(bytes).substr(0, n)),
                StatusIs(absl::StatusCode::kDataLoss,
                         AllOf(HasSubstr(absl::StrCat(n, " bytes")),
                               HasSubstr(absl::StrCat(n < 16 ? 16 : bytes.size())))));
  }
  EXPECT_THAT(DecodeFrame({}), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("0 bytes")));
}

TEST(FrameCodecTest, TrailingBytesAreRefused) {
  const std::string bytes = Encode(MakeFrame(20));
  EXPECT_THAT(Decode(bytes + "x"),
              StatusIs(absl::StatusCode::kDataLoss,
                       AllOf(HasSubstr(absl::StrCat("announces ", bytes.size())),
                             HasSubstr(absl::StrCat(bytes.size() + 1, " bytes arrived")))));
}

TEST(FrameCodecTest, OtherMagicIsRefused) {
  std::string bytes = Encode(MakeFrame(20));
  bytes[3] = '2';
  EXPECT_THAT(Decode(bytes), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SRF1")));
  EXPECT_THAT(Decode("GET / HTTP/1.1\r\nHost: x\r\n\r\n"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("SRF1")));
}

// A few bytes must not make the reader allocate gigabytes.
TEST(FrameCodecTest, AnnouncedSizesOverTheLimitsAreRefusedBeforeAllocation) {
  EXPECT_THAT(Decode(Preamble(~uint32_t{0}, 0)),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("header of 4294967295"), HasSubstr("33554432"))));
  EXPECT_THAT(Decode(Preamble(0, ~uint64_t{0})),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("payload of 18446744073709551615"), HasSubstr("67108864"))));
  EXPECT_THAT(Decode(Preamble(0, kMaxPayloadBytes)),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("16 bytes arrived")));
}

TEST(FrameCodecTest, HeaderThatIsNoMessageIsRefused) {
  EXPECT_THAT(Decode(Preamble(4, 0) + "\xff\xff\xff\xff"),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("header of 4 bytes")));
}

TEST(FrameCodecTest, WriterRefusesWhatNoReaderTakes) {
  Frame frame;
  frame.payload = Payload::Uninitialized(kMaxPayloadBytes);
  EXPECT_OK(CheckFrameSize(frame));
  frame.payload = Payload::Uninitialized(kMaxPayloadBytes + 1);
  EXPECT_THAT(EncodeFrameHead(frame),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("67108865"), HasSubstr("67108864"))));
  frame.payload = Payload();
  frame.header.mutable_control_request()->mutable_register_node()->set_name(
      std::string(kMaxHeaderBytes, 'x'));
  EXPECT_THAT(EncodeFrameHead(frame),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("33554432")));
}

TEST(FrameCodecTest, RandomChangesNeverCrashAndSurvivorsStayConsistent) {
  const std::string bytes = Encode(MakeFrame(30));
  SplitMix64 random(2);
  for (int round = 0; round < 20000; ++round) {
    std::string changed = bytes;
    for (uint64_t n = random.NextBelow(4) + 1; n > 0; --n) {
      changed[random.NextBelow(changed.size())] = static_cast<char>(random.Next());
    }
    const absl::StatusOr<Frame> frame = Decode(changed);
    if (frame.ok()) {
      EXPECT_LE(frame->payload.size(), changed.size());
    }
  }
}

}  // namespace
}  // namespace seraph
