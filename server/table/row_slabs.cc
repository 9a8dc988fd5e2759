// SPDX-License-Identifier: Apache-2.0
#include "server/table/row_slabs.h"

#include <algorithm>
#include <bit>
#include <new>

namespace seraph {
namespace {

constexpr size_t kFirstSlabBytes = 256;
constexpr size_t kLargestSlabBytes = size_t{256} << 10;
constexpr size_t kLineFloats = 16;
constexpr std::align_val_t kLineBytes{kLineFloats * sizeof(float)};

}  // namespace

void RowSlabs::FreeSlab::operator()(float* slab) const { ::operator delete[](slab, kLineBytes); }

size_t RowSlabs::StrideFloats(size_t width) {
  if (width <= kLineFloats) return std::bit_ceil(width);
  return (width + 3) / 4 * 4;
}

RowSlabs::RowSlabs(size_t width) : stride_(StrideFloats(width)) {}

float* RowSlabs::Allocate() {
  if (used_rows_ == slab_rows_) {
    const size_t row_bytes = stride_ * sizeof(float);
    const size_t first = std::max<size_t>(1, kFirstSlabBytes / row_bytes);
    const size_t largest = std::max<size_t>(1, kLargestSlabBytes / row_bytes);
    slab_rows_ = std::clamp(2 * slab_rows_, first, largest);
    slabs_.push_back(Slab(new (kLineBytes) float[slab_rows_ * stride_]()));
    used_rows_ = 0;
  }
  return slabs_.back().get() + stride_ * used_rows_++;
}

}  // namespace seraph
