// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_frame.h"

#include <grpcpp/support/slice.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "transport/frame_codec.h"
#include "transport/sanitizers.h"

namespace seraph {
namespace {

// A slice over the bytes of `bytes`, which it owns: a string or a payload.
template <typename T>
grpc::Slice SliceOf(T bytes) {
  auto* owned = new T(std::move(bytes));
  HandOver(owned);
  return grpc::Slice(
      const_cast<void*>(static_cast<const void*>(owned->data())), owned->size(),
      [](void* owned) {
        TakeOver(owned);
        delete static_cast<T*>(owned);
      },
      owned);
}

}  // namespace

absl::Status ToByteBuffer(Frame* frame, grpc::ByteBuffer* buffer) {
  ASSIGN_OR_RETURN(std::string head, EncodeFrameHead(*frame));
  grpc::Slice slices[2];
  size_t count = 0;
  slices[count++] = SliceOf(std::move(head));
  if (!frame->payload.empty()) slices[count++] = SliceOf(std::move(frame->payload));
  *buffer = grpc::ByteBuffer(slices, count);
  return absl::OkStatus();
}

absl::StatusOr<Frame> FromByteBuffer(const grpc::ByteBuffer& buffer) {
  std::vector<grpc::Slice> slices;
  if (!buffer.Valid() || !buffer.Dump(&slices).ok()) {
    return absl::DataLossError("a message without bytes is no frame");
  }
  std::vector<absl::string_view> pieces;
  pieces.reserve(slices.size());
  for (const grpc::Slice& slice : slices) {
    pieces.emplace_back(reinterpret_cast<const char*>(slice.begin()), slice.size());
  }
  return DecodeFrame(pieces);
}

}  // namespace seraph
