// SPDX-License-Identifier: Apache-2.0
// Early stop: which epoch's model is the best so far, and when there is no more hope of a better.
#ifndef SERAPH_SCHEDULER_BEST_EPOCH_H_
#define SERAPH_SCHEDULER_BEST_EPOCH_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "scheduler/job_events.h"
#include "scheduler/job_tasks.h"

namespace seraph {

// Not thread-safe. Pure.
class BestEpoch {
 public:
  // Of AUC, accuracy and R2 the more the better, of other metrics the less.
  explicit BestEpoch(const EarlyStopPlan& plan) : plan_(plan) {}

  // The score of the next epoch. True: better than all before it; an equal one is not.
  // INVALID_ARGUMENT when the score has no such metric (an AUC of rows of one class).
  absl::StatusOr<bool> Take(uint32_t epoch, const Score& score);

  uint32_t epoch() const { return epoch_; }  // The best so far; 0 before the first.
  // Whether `patience` epochs up to `epoch` have brought none that is better.
  bool Exhausted(uint32_t epoch) const { return epoch - epoch_ >= plan_.patience; }

 private:
  const EarlyStopPlan plan_;
  uint32_t epoch_ = 0;
  double value_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_BEST_EPOCH_H_
