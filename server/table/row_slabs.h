// SPDX-License-Identifier: Apache-2.0
// Memory for rows of one width, given out in order and kept until all of it is freed.
#ifndef SERAPH_SERVER_TABLE_ROW_SLABS_H_
#define SERAPH_SERVER_TABLE_ROW_SLABS_H_

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

namespace seraph {

// Not thread-safe. Rows never move: a pointer is good until the RowSlabs dies. Slabs begin small,
// since a model has hundreds of partitions of which most may hold a few rows, and double up to
// 256 KiB.
class RowSlabs {
 public:
  // `width`: floats per row, at least 1.
  explicit RowSlabs(size_t width);

  // A row of zeros that does not straddle more cache lines than it must: aligned to its own size,
  // rounded up to a power of two, up to 64 bytes; larger ones to 16.
  float* Allocate();

  // From a row of so many floats to the next.
  static size_t StrideFloats(size_t width);

 private:
  struct FreeSlab {
    void operator()(float* slab) const;
  };
  using Slab = std::unique_ptr<float[], FreeSlab>;

  size_t stride_;         // Floats.
  size_t slab_rows_ = 0;  // Of the slab in use.
  size_t used_rows_ = 0;  // Of the slab in use.
  std::vector<Slab> slabs_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_ROW_SLABS_H_
