// SPDX-License-Identifier: Apache-2.0
// Answers as frames: an error travels in the header, so that the caller gets the handler's code,
// message and payloads exactly, and can tell them from errors of the transport.
#ifndef SERAPH_TRANSPORT_REPLY_CODEC_H_
#define SERAPH_TRANSPORT_REPLY_CODEC_H_

#include "absl/status/statusor.h"
#include "transport/frame.h"

namespace seraph {

Frame EncodeReply(absl::StatusOr<Frame> reply);

// What EncodeReply was given. An error code that this version does not know is UNKNOWN.
absl::StatusOr<Frame> DecodeReply(Frame frame);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_REPLY_CODEC_H_
