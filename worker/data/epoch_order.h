// SPDX-License-Identifier: Apache-2.0
// The order of an epoch: blocks permuted, cut into windows, rows shuffled inside each window, all
// by (seed, epoch) alone. Under BSP step t of an epoch is rows [t*B, (t+1)*B) of this order, of
// which rank r takes one slice; so what is learned in a step does not depend on the number of
// workers, servers or processes.
#ifndef SERAPH_WORKER_DATA_EPOCH_ORDER_H_
#define SERAPH_WORKER_DATA_EPOCH_ORDER_H_

#include <cstdint>
#include <vector>

#include "absl/types/span.h"
#include "worker/data/data_set.h"

namespace seraph {

// Bytes and rows of blocks that a window may hold (at least one block). Rows of less than half a
// kilobyte fill windows by their number: the same rows come in the same order in whatever format.
inline constexpr uint64_t kWindowBytes = 32 << 20;
inline constexpr uint64_t kWindowRows = 64 << 10;

// A row of a window: row `row` of the window's blocks[slot].
struct RowPlace {
  uint32_t slot;
  uint32_t row;
  bool operator==(const RowPlace&) const = default;
};

// Immutable. Memory and time are those of its blocks, however many others the index has: a lease
// is the order of a few blocks.
class EpochOrder {
 public:
  // `blocks` (numbers into the index) in any order; their order is permuted here. Pure. The index
  // is not kept.
  EpochOrder(const DataIndex& index, std::vector<uint32_t> blocks, uint64_t seed, uint64_t epoch);

  struct Window {
    std::vector<uint32_t> blocks;         // Numbers into the index.
    std::vector<uint32_t> rows_of_block;  // Parallel to blocks.
    uint64_t first_row = 0;               // Of the epoch.
    uint64_t rows = 0;
  };
  const std::vector<Window>& windows() const { return windows_; }
  uint64_t rows() const { return rows_; }
  // The rows of a window in the order in which they are learned.
  std::vector<RowPlace> RowsOf(size_t window) const;

 private:
  std::vector<Window> windows_;
  uint64_t rows_ = 0;
  uint64_t seed_;
  uint64_t epoch_;
};

// The slice of rank r in a joint batch of n rows, as [begin, end): floor(n*r/workers) ..
// floor(n*(r+1)/workers).
struct Slice {
  uint64_t begin, end;
};
Slice SliceOf(uint64_t rows, uint32_t rank, uint32_t workers);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_EPOCH_ORDER_H_
