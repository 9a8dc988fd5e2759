// SPDX-License-Identifier: Apache-2.0
// The bytes of a frame as a stranger may send them. The first byte says how the rest is cut into
// pieces; what decodes must encode to the same frame again.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "transport/frame_codec.h"
#include "transport/reply_codec.h"

namespace seraph {
namespace {

std::vector<absl::string_view> Cut(absl::string_view bytes, size_t length) {
  std::vector<absl::string_view> pieces;
  while (!bytes.empty()) {
    pieces.push_back(bytes.substr(0, length));
    bytes.remove_prefix(std::min(length, bytes.size()));
  }
  return pieces;
}

void Require(bool condition) {
  if (!condition) std::abort();
}

std::string Encode(const Frame& frame) {
  absl::StatusOr<std::string> bytes = EncodeFrameHead(frame);
  Require(bytes.ok());
  if (!frame.payload.empty()) {
    bytes->append(reinterpret_cast<const char*>(frame.payload.data()), frame.payload.size());
  }
  return *std::move(bytes);
}

void RoundTrip(absl::string_view bytes, size_t piece_length) {
  const absl::StatusOr<Frame> frame = DecodeFrame(Cut(bytes, piece_length));
  if (!frame.ok()) return;
  const std::string encoded = Encode(*frame);
  absl::StatusOr<Frame> again = DecodeFrame(Cut(encoded, piece_length));
  Require(again.ok());
  // Map fields have no fixed order: sizes and the payload have.
  Require(again->header.ByteSizeLong() == frame->header.ByteSizeLong());
  Require(std::equal(frame->payload.data(), frame->payload.data() + frame->payload.size(),
                     again->payload.data(), again->payload.data() + again->payload.size()));
  const bool is_error = again->header.has_error();
  const absl::StatusOr<Frame> reply = DecodeReply(*std::move(again));
  Require(reply.ok() != is_error);
  Require(reply.ok() || DecodeReply(EncodeReply(reply.status())).status() == reply.status());
}

}  // namespace
}  // namespace seraph

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size == 0) return 0;
  const absl::string_view bytes(reinterpret_cast<const char*>(data) + 1, size - 1);
  seraph::RoundTrip(bytes, data[0] == 0 ? std::max<size_t>(bytes.size(), 1) : data[0]);
  return 0;
}
