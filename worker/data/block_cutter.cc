// SPDX-License-Identifier: Apache-2.0
#include "worker/data/block_cutter.h"

namespace seraph {
namespace {

// Keeps the rows of a block within 32 bits.
constexpr uint32_t kMostScale = 1 << 20;

}  // namespace

void BlockCutter::StartFile(uint32_t file) {
  ++files_;
  file_ = file;
  open_ = false;
}

bool BlockCutter::Fits(uint64_t bytes, uint64_t rows) const {
  return bytes <= kBlockBytes * scale_ && rows <= uint64_t{kBlockRows} * scale_;
}

void BlockCutter::AddRow(uint64_t line_number, uint64_t begin, uint64_t end, uint64_t weight_row) {
  while (!open_ || !Fits(end - blocks_.back().offset, uint64_t{blocks_.back().rows} + 1)) {
    if (blocks_.size() < most_blocks_ + files_ || !Coarsen()) {
      blocks_.push_back({.file = file_,
                         .offset = begin,
                         .bytes = 0,
                         .first_line = line_number,
                         .rows = 0,
                         .weight_row = weight_row});
      open_ = true;
      break;
    }
  }
  Block& block = blocks_.back();
  block.bytes = end - block.offset;
  ++block.rows;
}

Block BlockCutter::TakeFirst() {
  const Block first = blocks_.front();
  blocks_.erase(blocks_.begin());
  if (blocks_.empty()) open_ = false;
  return first;
}

bool BlockCutter::Coarsen() {
  if (scale_ == kMostScale) return false;
  scale_ *= 2;
  size_t last = 0;
  for (size_t i = 1; i < blocks_.size(); ++i) {
    Block& into = blocks_[last];
    const Block& next = blocks_[i];
    const uint64_t bytes = next.offset + next.bytes - into.offset;
    if (into.file == next.file && Fits(bytes, uint64_t{into.rows} + next.rows)) {
      into.bytes = bytes;
      into.rows += next.rows;
    } else {
      blocks_[++last] = next;
    }
  }
  blocks_.resize(last + 1);
  return true;
}

}  // namespace seraph
