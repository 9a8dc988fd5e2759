// SPDX-License-Identifier: Apache-2.0
// Frames as bytes (proto/frame.proto gives the layout). Trusts nothing that it reads: sizes are
// compared with the limits and with the bytes at hand before anything is allocated.
#ifndef SERAPH_TRANSPORT_FRAME_CODEC_H_
#define SERAPH_TRANSPORT_FRAME_CODEC_H_

#include <cstddef>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "transport/frame.h"

namespace seraph {

// Magic, header size, payload size.
inline constexpr size_t kFramePreambleBytes = 16;

// INVALID_ARGUMENT naming size and limit when header or payload is larger than a channel carries.
absl::Status CheckFrameSize(const Frame& frame);

// Preamble and header; the payload follows them as it is. Errors of CheckFrameSize.
absl::StatusOr<std::string> EncodeFrameHead(const Frame& frame);

// Reads a whole frame that lies in `pieces`, in order; empty pieces are fine. The payload is copied
// once.
//
// INVALID_ARGUMENT: not a frame (magic, header) or over a limit. DATA_LOSS: more or fewer bytes
// than the preamble announces, both numbers named.
absl::StatusOr<Frame> DecodeFrame(absl::Span<const absl::string_view> pieces);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_FRAME_CODEC_H_
