// SPDX-License-Identifier: Apache-2.0
#include "transport/frame_codec.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "transport/channel.h"

namespace seraph {
namespace {

constexpr char kMagic[] = {'S', 'R', 'F', '1'};

template <typename T>
void StoreLittleEndian(T value, char* to) {
  for (size_t i = 0; i < sizeof(T); ++i) to[i] = static_cast<char>(value >> (8 * i));
}

template <typename T>
T LoadLittleEndian(const char* from) {
  T value = 0;
  for (size_t i = 0; i < sizeof(T); ++i) value |= T{static_cast<uint8_t>(from[i])} << (8 * i);
  return value;
}

absl::Status CheckSizes(uint64_t header_bytes, uint64_t payload_bytes) {
  if (header_bytes > kMaxHeaderBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a frame's header of ", header_bytes, " bytes is over the limit of ", kMaxHeaderBytes));
  }
  if (payload_bytes > kMaxPayloadBytes) {
    return absl::InvalidArgumentError(absl::StrCat(
        "a frame's payload of ", payload_bytes, " bytes is over the limit of ", kMaxPayloadBytes));
  }
  return absl::OkStatus();
}

// Walks over pieces. Whoever copies has checked that the bytes are there.
class Reader {
 public:
  explicit Reader(absl::Span<const absl::string_view> pieces) : pieces_(pieces) {}

  void Copy(size_t bytes, char* to) {
    while (bytes > 0) {
      const absl::string_view rest = pieces_[piece_].substr(offset_);
      const size_t n = std::min(bytes, rest.size());
      if (n > 0) std::memcpy(to, rest.data(), n);
      to += n;
      bytes -= n;
      Advance(n);
    }
  }

  // The next `bytes` when they lie in one piece, else empty and nothing is read.
  absl::string_view TakeInPlace(size_t bytes) {
    while (piece_ < pieces_.size() && offset_ == pieces_[piece_].size()) Advance(0);
    if (piece_ == pieces_.size() || pieces_[piece_].size() - offset_ < bytes) return {};
    const absl::string_view taken = pieces_[piece_].substr(offset_, bytes);
    Advance(bytes);
    return taken;
  }

 private:
  void Advance(size_t n) {
    offset_ += n;
    if (offset_ == pieces_[piece_].size()) {
      ++piece_;
      offset_ = 0;
    }
  }

  const absl::Span<const absl::string_view> pieces_;
  size_t piece_ = 0;
  size_t offset_ = 0;
};

absl::Status ParseHeader(size_t bytes, Reader* reader, v1::FrameHeader* header) {
  absl::string_view serialised = reader->TakeInPlace(bytes);
  std::string gathered;
  if (serialised.size() < bytes) {
    gathered.resize(bytes);
    reader->Copy(bytes, gathered.data());
    serialised = gathered;
  }
  if (!header->ParseFromArray(serialised.data(), static_cast<int>(serialised.size()))) {
    return absl::InvalidArgumentError(
        absl::StrCat("a frame's header of ", bytes, " bytes does not parse"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status CheckFrameSize(const Frame& frame) {
  return CheckSizes(frame.header.ByteSizeLong(), frame.payload.size());
}

absl::StatusOr<std::string> EncodeFrameHead(const Frame& frame) {
  const size_t header_bytes = frame.header.ByteSizeLong();
  RETURN_IF_ERROR(CheckSizes(header_bytes, frame.payload.size()));
  std::string head(kFramePreambleBytes + header_bytes, '\0');
  std::memcpy(head.data(), kMagic, sizeof(kMagic));
  StoreLittleEndian<uint32_t>(static_cast<uint32_t>(header_bytes), head.data() + 4);
  StoreLittleEndian<uint64_t>(frame.payload.size(), head.data() + 8);
  frame.header.SerializeWithCachedSizesToArray(
      reinterpret_cast<uint8_t*>(head.data() + kFramePreambleBytes));
  return head;
}

absl::StatusOr<Frame> DecodeFrame(absl::Span<const absl::string_view> pieces) {
  uint64_t received = 0;
  for (const absl::string_view piece : pieces) received += piece.size();
  if (received < kFramePreambleBytes) {
    return absl::DataLossError(absl::StrCat(
        "a frame of ", received, " bytes is shorter than its preamble of ", kFramePreambleBytes));
  }
  Reader reader(pieces);
  char preamble[kFramePreambleBytes];
  reader.Copy(sizeof(preamble), preamble);
  if (std::memcmp(preamble, kMagic, sizeof(kMagic)) != 0) {
    return absl::InvalidArgumentError(
        absl::StrCat(received, " bytes are no frame: they do not start with SRF1"));
  }
  const uint64_t header_bytes = LoadLittleEndian<uint32_t>(preamble + 4);
  const uint64_t payload_bytes = LoadLittleEndian<uint64_t>(preamble + 8);
  RETURN_IF_ERROR(CheckSizes(header_bytes, payload_bytes));
  const uint64_t announced = kFramePreambleBytes + header_bytes + payload_bytes;
  if (received != announced) {
    return absl::DataLossError(
        absl::StrCat("a frame announces ", announced, " bytes, but ", received, " bytes arrived"));
  }
  Frame frame;
  RETURN_IF_ERROR(ParseHeader(header_bytes, &reader, &frame.header));
  frame.payload = Payload::Uninitialized(payload_bytes);
  reader.Copy(payload_bytes, reinterpret_cast<char*>(frame.payload.data()));
  return frame;
}

}  // namespace seraph
