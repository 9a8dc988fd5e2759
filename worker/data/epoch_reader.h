// SPDX-License-Identifier: Apache-2.0
// Reads rows in the order of an epoch, holding one window of raw bytes at a time.
#ifndef SERAPH_WORKER_DATA_EPOCH_READER_H_
#define SERAPH_WORKER_DATA_EPOCH_READER_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/data/epoch_order.h"
#include "worker/data/hold_out.h"

namespace seraph {

// Not thread-safe. `data`, `index` and `hold_out` outlive it.
class EpochReader {
 public:
  // `hold_out`: rows that are not read; null: there are none.
  EpochReader(const DataSet* data, const DataIndex* index, EpochOrder order,
              const HoldOut* hold_out = nullptr);
  EpochReader(EpochReader&&) = default;  // No copies: records point into buffers.

  uint64_t rows() const { return order_.rows(); }

  // Parses the row at place `at` (0..rows()-1 of the epoch's order) into `row`. Places are asked in
  // ascending order; going back to an earlier window is allowed and reads it again. False: a bad
  // row left out by policy, or one that is held out (a hole).
  absl::StatusOr<bool> Read(uint64_t at, Row* row);

 private:
  absl::Status LoadWindow(size_t window);

  const DataSet* const data_;
  const DataIndex* const index_;
  const EpochOrder order_;
  const HoldOut* const hold_out_;
  size_t window_ = static_cast<size_t>(-1);
  std::vector<LoadedBlock> loaded_;  // Parallel to the window's blocks.
  std::vector<RowPlace> places_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_EPOCH_READER_H_
