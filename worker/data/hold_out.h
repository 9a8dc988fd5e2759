// SPDX-License-Identifier: Apache-2.0
// Which rows of the training data are held out for validation: each is drawn with the same
// probability, by its place in the data and the seed alone. So the same rows are held out whatever
// the format of the files, the number of workers and the epoch.
#ifndef SERAPH_WORKER_DATA_HOLD_OUT_H_
#define SERAPH_WORKER_DATA_HOLD_OUT_H_

#include <cstdint>
#include <vector>

#include "worker/data/data_index.h"

namespace seraph {

// Immutable and thread-safe. Takes 8 bytes a block of the index, which is not kept.
class HoldOut {
 public:
  // `share` of the rows, 0 <= share < 1.
  HoldOut(const DataIndex& index, double share, uint64_t seed);

  // Whether row `row` of block `block` is held out. Bad rows have places like others. REQUIRES:
  // block and row are in the index.
  bool Has(uint32_t block, uint32_t row) const;

  // The rows of the block that are held out, ascending. REQUIRES: as above.
  std::vector<uint32_t> RowsOf(uint32_t block) const;

 private:
  uint64_t limit_;  // Hashes below it are held out.
  uint64_t seed_;
  std::vector<uint64_t> first_rows_;  // By block, and the number of all rows at the end.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_HOLD_OUT_H_
