// SPDX-License-Identifier: Apache-2.0
#include "worker/data/line_reader.h"

#include <algorithm>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr size_t kChunkBytes = 256 << 10;

}  // namespace

LineReader::LineReader(const DataFileReader* file, uint64_t begin, uint64_t end)
    : file_(file), end_(end), buffer_offset_(begin) {}

absl::StatusOr<bool> LineReader::Next() {
  line_begin_ = next_;
  return FindEnd(0);
}

absl::StatusOr<bool> LineReader::Extend() {
  const size_t with_end = next_ - line_begin_;
  if (with_end == line_.size()) return false;  // The file's last line, without a '\n'.
  if (buffer_offset_ + next_ >= end_) return false;
  return FindEnd(with_end);
}

absl::StatusOr<bool> LineReader::FindEnd(size_t searched) {
  while (true) {
    const char* const begin = buffer_.data() + line_begin_;
    const size_t size = held_ - line_begin_;
    const void* const found = std::memchr(begin + searched, '\n', size - searched);
    const bool last = buffer_offset_ + held_ >= end_;
    const size_t length =
        found == nullptr ? size : static_cast<size_t>(static_cast<const char*>(found) - begin);
    if (length > kMaxLineBytes) {
      return absl::InvalidArgumentError(absl::StrCat(
          "the line is longer than ", kMaxLineBytes >> 20, " MiB; is this a file of rows?"));
    }
    if (found == nullptr && !last) {
      RETURN_IF_ERROR(Fill());
      searched = size;
      continue;
    }
    if (size == 0) return false;
    line_ = absl::string_view(begin, length);
    offset_ = buffer_offset_ + line_begin_;
    end_offset_ = offset_ + length + (found == nullptr ? 0 : 1);
    next_ = static_cast<size_t>(end_offset_ - buffer_offset_);
    return true;
  }
}

// Moves the unfinished line to the front and reads on behind it; a long line doubles the buffer.
absl::Status LineReader::Fill() {
  buffer_.erase(0, line_begin_);
  buffer_offset_ += line_begin_;
  held_ -= line_begin_;
  line_begin_ = 0;
  const uint64_t left = end_ - (buffer_offset_ + held_);
  const size_t more = static_cast<size_t>(std::min<uint64_t>(left, std::max(kChunkBytes, held_)));
  buffer_.resize(held_ + more);
  RETURN_IF_ERROR(file_->ReadAt(buffer_offset_ + held_, more, buffer_.data() + held_));
  held_ += more;
  return absl::OkStatus();
}

}  // namespace seraph
