// SPDX-License-Identifier: Apache-2.0
#include "server/table/row_memory.h"

#include <limits>

#include "server/table/row_slabs.h"

namespace seraph {
namespace {

constexpr uint64_t kIndexBytes = 32;

}  // namespace

uint64_t RowBytes(TableKind kind, uint32_t dim, uint32_t state_width) {
  const size_t width = size_t{dim} + state_width;
  if (kind == TableKind::kDense) return width * sizeof(float);
  return RowSlabs::StrideFloats(width) * sizeof(float) + kIndexBytes;
}

uint64_t DenseBlockBytes(uint64_t rows, uint32_t dim, uint32_t state_width) {
  const unsigned __int128 bytes =
      static_cast<unsigned __int128>(rows) * RowBytes(TableKind::kDense, dim, state_width) +
      (rows / 8 + 1);
  constexpr uint64_t kMost = std::numeric_limits<uint64_t>::max();
  return bytes > kMost ? kMost : static_cast<uint64_t>(bytes);
}

}  // namespace seraph
