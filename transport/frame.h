// SPDX-License-Identifier: Apache-2.0
// A frame: what travels on a channel. The header is a small protobuf message; the payload is raw
// bytes (keys and values) that nobody serialises.
#ifndef SERAPH_TRANSPORT_FRAME_H_
#define SERAPH_TRANSPORT_FRAME_H_

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/types/span.h"
#include "proto/frame.pb.h"

namespace seraph {

// Owned bytes, aligned to 64, so that key and value arrays can be used in place. Move-only;
// moved-from is empty.
class Payload {
 public:
  Payload() = default;
  // Memory as it comes; the caller fills all of it.
  static Payload Uninitialized(size_t bytes) {
    Payload p;
    if (bytes > 0) {
      p.data_.reset(static_cast<uint8_t*>(std::aligned_alloc(64, (bytes + 63) / 64 * 64)));
      p.size_ = bytes;
    }
    return p;
  }
  Payload(Payload&& other) noexcept
      : data_(std::move(other.data_)), size_(std::exchange(other.size_, 0)) {}
  Payload& operator=(Payload&& other) noexcept {
    data_ = std::move(other.data_);
    size_ = std::exchange(other.size_, 0);
    return *this;
  }

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  const uint8_t* data() const { return data_.get(); }
  uint8_t* data() { return data_.get(); }

  // `count` values of T from byte `offset` on. REQUIRES: they lie within the payload and offset
  // suits T's alignment.
  template <typename T>
  absl::Span<const T> View(size_t offset, size_t count) const {
    return absl::MakeConstSpan(reinterpret_cast<const T*>(data_.get() + offset), count);
  }
  template <typename T>
  absl::Span<T> MutableView(size_t offset, size_t count) {
    return absl::MakeSpan(reinterpret_cast<T*>(data_.get() + offset), count);
  }

 private:
  struct Free {
    void operator()(uint8_t* p) const { std::free(p); }
  };
  std::unique_ptr<uint8_t, Free> data_;
  size_t size_ = 0;
};

struct Frame {
  v1::FrameHeader header;
  Payload payload;
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_FRAME_H_
