// SPDX-License-Identifier: Apache-2.0
// BSP: step t of an epoch is rows [t*B, (t+1)*B) of the epoch's order, of which this rank takes its
// slice.
#ifndef SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_
#define SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_

#include <cstdint>

#include "worker/data/epoch_reader.h"
#include "worker/train/row_source.h"

namespace seraph {

// Every rank has the same number of steps: ceil(rows / B).
class JointBatches : public RowSource {
 public:
  // `data` and `index` outlive it. `epoch` counts from 1 over the model's whole life.
  JointBatches(const DataSet* data, const DataIndex* index, uint64_t seed, uint64_t epoch,
               uint64_t batch_size, uint32_t rank, uint32_t workers);

  absl::StatusOr<bool> NextBatch(BatchBuilder* batch) override;
  absl::Status Learned() override { return absl::OkStatus(); }

 private:
  EpochReader reader_;
  const uint64_t batch_size_;
  const uint32_t rank_;
  const uint32_t workers_;
  uint64_t next_ = 0;  // First row of the next joint batch.
  Row row_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_JOINT_BATCHES_H_
