// SPDX-License-Identifier: Apache-2.0
// One rank's share of an evaluation: scores its blocks of the test data, sums per block, sorted
// runs of scores.
#ifndef SERAPH_WORKER_TRAIN_EVALUATOR_H_
#define SERAPH_WORKER_TRAIN_EVALUATOR_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "common/evaluation.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "worker/data/data_set.h"
#include "worker/data/hold_out.h"
#include "worker/model/model.h"
#include "worker/train/cancellation.h"
#include "worker/train/seat.h"
#include "worker/train/stepper.h"

namespace seraph {

// Which blocks are scored, and for whom.
struct EvaluateOptions {
  Seat seat;
  uint64_t task;         // Number of the task, for ReportScores.
  uint32_t first_block;  // And every `stride` > 0 blocks from there on.
  uint32_t stride;
  std::string
      spill_folder;  // For scores too many for memory; empty: the system's temporary folder.
  const HoldOut* only = nullptr;  // These rows alone; null: all.
};

// Sums of each of the rank's blocks, and their scores, sorted and with equal ones counted together
// (models that have an AUC). Long runs go to the scheduler in pieces; the last piece is in the
// result. Nothing is learned. Everything passed in is used during the call alone. Errors: of the
// data, of Stepper::Score, of the scheduler, or the cancellation's reason at the next block.
absl::StatusOr<v1::EvaluateResult> EvaluateBlocks(const EvaluateOptions& options,
                                                  const DataSet& data, const DataIndex& index,
                                                  const Model& model, Stepper* stepper,
                                                  SchedulerAgent* agent,
                                                  const Cancellation& cancellation);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_EVALUATOR_H_
