// SPDX-License-Identifier: Apache-2.0
// What a job is to the scheduler, what its ranks are told to do, and what they hand back.
#ifndef SERAPH_SCHEDULER_JOB_TASKS_H_
#define SERAPH_SCHEDULER_JOB_TASKS_H_

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "common/evaluation.h"

namespace seraph {

struct JobPlan {
  PredictionKind kind = PredictionKind::kBinary;
  uint32_t servers = 1;
  uint32_t workers = 1;
  uint32_t epochs = 1;
  uint64_t seed = 0;
  bool leases = false;  // SSP and ASP: training data is leased; BSP deals it by the seed.
  bool tests = false;   // There is test data.
};

// All ranks are in the same phase at one time. kIndex and kSave are rank 0's alone.
enum class Phase { kPending, kIndex, kPrepare, kTrain, kEvaluate, kSave, kEnded };

// The task of a phase is the same for all its ranks.
struct Task {
  uint64_t number = 0;            // From 1 in each job, one for each phase entered.
  Phase phase = Phase::kPending;  // kEnded: finish.
  uint32_t epoch = 0;             // kTrain, kEvaluate: from 1.
  uint64_t start_clock = 0;       // kTrain.
  uint32_t epochs = 0;            // kSave: of this job.
  uint64_t steps = 0;             // kSave: likewise.
  std::string reason;             // kEnded: empty when the job succeeded.
};

struct IndexOutcome {
  uint32_t train_blocks = 0;
  uint64_t train_rows = 0;
  uint32_t test_blocks = 0;
  uint64_t test_rows = 0;
};
struct PrepareOutcome {};
struct TrainOutcome {
  uint64_t rows = 0;
  uint64_t rows_skipped = 0;
  double loss_sum = 0;
  uint64_t steps = 0;
};
struct BlockScore {
  uint32_t block = 0;
  EvaluationSums sums;
};
struct EvaluateOutcome {
  std::vector<BlockScore> blocks;
  uint64_t rows_skipped = 0;
};
struct SaveOutcome {};

// A status other than OK: the task failed.
using TaskOutcome = std::variant<absl::Status, IndexOutcome, PrepareOutcome, TrainOutcome,
                                 EvaluateOutcome, SaveOutcome>;

// The exact AUC over what all ranks scored in one evaluate phase.
struct CountedScores {
  uint64_t rows = 0;
  std::optional<double> auc;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_JOB_TASKS_H_
