// SPDX-License-Identifier: Apache-2.0
// BSP: step t of an epoch is rows [t*B, (t+1)*B) of the epoch's order, of which this rank takes its
// slice.
#ifndef SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_
#define SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_

#include <cstdint>

#include "worker/data/epoch_reader.h"
#include "worker/data/hold_out.h"
#include "worker/train/row_source.h"

namespace seraph {

// Every rank has the same number of steps: ceil(rows / B).
class JointBatches : public RowSource {
 public:
  struct Options {
    const DataSet* data;  // Outlives it, like the index.
    const DataIndex* index;
    uint64_t seed;
    uint64_t epoch;       // Counts from 1 over the model's whole life.
    uint64_t batch_size;  // B. 0: one step is the whole epoch, handed out in pieces.
    uint32_t rank;
    uint32_t workers;
    const HoldOut* hold_out = nullptr;  // Rows that are holes; outlives it.
    uint64_t piece_rows = kPieceRows;   // Of a step that is the whole epoch: rows of a batch.
  };
  // Enough for the arithmetic of a batch to cost more than the messages for it.
  static constexpr uint64_t kPieceRows = 8192;

  explicit JointBatches(const Options& options);

  absl::StatusOr<bool> NextBatch(BatchBuilder* batch) override;
  bool EndsStep() const override { return next_ == slice_.end; }
  absl::Status Learned() override { return absl::OkStatus(); }

 private:
  // Moves on to the next step.
  void BeginStep();

  const Options options_;
  EpochReader reader_;
  uint64_t next_step_ = 0;  // First row of the next joint batch.
  Slice slice_ = {0, 0};    // Of the current one, this rank's.
  uint64_t next_ = 0;       // Its next row.
  Row row_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_
