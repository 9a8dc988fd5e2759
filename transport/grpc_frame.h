// SPDX-License-Identifier: Apache-2.0
// Frames as gRPC byte buffers, and the one method that carries them.
#ifndef SERAPH_TRANSPORT_GRPC_FRAME_H_
#define SERAPH_TRANSPORT_GRPC_FRAME_H_

#include <grpcpp/support/byte_buffer.h>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "transport/frame.h"

namespace seraph {

inline constexpr char kFrameMethod[] = "/seraph.v1.Frames/Call";

// Moves the payload into the buffer without a copy. Errors of CheckFrameSize; the frame is then as
// it was.
absl::Status ToByteBuffer(Frame* frame, grpc::ByteBuffer* buffer);

// Copies the payload once, into aligned memory. Errors of DecodeFrame.
absl::StatusOr<Frame> FromByteBuffer(const grpc::ByteBuffer& buffer);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_FRAME_H_
