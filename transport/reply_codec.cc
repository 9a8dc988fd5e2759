// SPDX-License-Identifier: Apache-2.0
#include "transport/reply_codec.h"

#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace seraph {

Frame EncodeReply(absl::StatusOr<Frame> reply) {
  if (reply.ok()) return *std::move(reply);
  Frame frame;
  v1::FrameError* error = frame.header.mutable_error();
  error->set_code(static_cast<uint32_t>(reply.status().code()));
  error->set_message(std::string(reply.status().message()));
  reply.status().ForEachPayload([error](absl::string_view url, const absl::Cord& payload) {
    (*error->mutable_payload())[std::string(url)] = std::string(payload);
  });
  return frame;
}

absl::StatusOr<Frame> DecodeReply(Frame frame) {
  if (!frame.header.has_error()) return frame;
  const v1::FrameError& error = frame.header.error();
  const bool known =
      error.code() > 0 && error.code() <= static_cast<uint32_t>(absl::StatusCode::kUnauthenticated);
  absl::Status status(
      known ? static_cast<absl::StatusCode>(error.code()) : absl::StatusCode::kUnknown,
      error.message());
  for (const auto& [url, payload] : error.payload()) status.SetPayload(url, absl::Cord(payload));
  return status;
}

}  // namespace seraph
