// SPDX-License-Identifier: Apache-2.0
// Where a rank's batches of one epoch come from: dealt by the seed (joint_batches.h, BSP) or leased
// (leased_rows.h).
#ifndef SERAPH_WORKER_TRAIN_ROW_SOURCE_H_
#define SERAPH_WORKER_TRAIN_ROW_SOURCE_H_

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "worker/data/batch.h"

namespace seraph {

// Not thread-safe.
class RowSource {
 public:
  virtual ~RowSource() = default;

  // Fills `batch` with the rows of the next step, possibly none; with as many of them as are held
  // at one time where a step is large. False: the epoch has no further step for this rank, and
  // `batch` is empty.
  virtual absl::StatusOr<bool> NextBatch(BatchBuilder* batch) = 0;

  // Whether the batch handed out last is the last of its step.
  virtual bool EndsStep() const { return true; }

  // The rows handed out so far are learned and acknowledged.
  virtual absl::Status Learned() = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_ROW_SOURCE_H_
