// SPDX-License-Identifier: Apache-2.0
#include "server/table/row_slabs.h"

#include <algorithm>
#include <bit>

namespace seraph {
namespace {

constexpr size_t kFirstSlabBytes = 256;
constexpr size_t kLargestSlabBytes = size_t{256} << 10;
constexpr size_t kLineFloats = 16;

size_t StrideOf(size_t width) {
  if (width <= kLineFloats) return std::bit_ceil(width);
  return (width + 3) / 4 * 4;
}

}  // namespace

RowSlabs::RowSlabs(size_t width) : stride_(StrideOf(width)) {}

float* RowSlabs::Allocate() {
  if (used_rows_ == slab_rows_) {
    const size_t first = std::max<size_t>(1, kFirstSlabBytes / stride_bytes());
    const size_t largest = std::max<size_t>(1, kLargestSlabBytes / stride_bytes());
    slab_rows_ = std::clamp(2 * slab_rows_, first, largest);
    const size_t lines = (slab_rows_ * stride_ + kLineFloats - 1) / kLineFloats;
    slabs_.push_back(std::make_unique<Line[]>(lines));
    used_rows_ = 0;
  }
  return slabs_.back()[0].floats + stride_ * used_rows_++;
}

}  // namespace seraph
