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

// When training ends before its last epoch (scheduler/best_epoch.h).
struct EarlyStopPlan {
  Metric metric = Metric::kLoss;  // Of the validation rows, else of the test data.
  uint32_t patience = 1;          // Epochs without a better one, at least 1.
};

// What the scheduler has to know of a resolved job.
struct JobPlan {
  uint32_t servers = 1;
  uint32_t workers = 1;
  uint32_t epochs = 1;
  uint64_t seed = 0;
  bool leases = false;     // Training data is leased; else the seed deals it (BSP).
  bool tests = false;      // There is test data.
  bool validates = false;  // Rows of the training data are held out and scored.
  std::optional<EarlyStopPlan> early_stop = {};  // REQUIRES: tests or validates.
};

// All ranks are in the same phase at one time. kIndex, kKeep and kSave are rank 0's alone.
enum class Phase {
  kPending,
  kIndex,
  kPrepare,
  kTrain,
  kValidate,  // Scores the rows held out from training.
  kEvaluate,  // Scores the test data.
  kKeep,      // Writes the model of the best epoch so far, to become the job's at its end.
  kSave,
  kEnded
};

// The task of a phase is the same for all its ranks.
struct Task {
  uint64_t number = 0;            // From 1 in each job, one for each phase entered.
  Phase phase = Phase::kPending;  // kEnded: finish.
  uint32_t epoch = 0;             // kTrain, kValidate, kEvaluate: from 1.
  uint64_t start_clock = 0;       // kTrain.
  uint32_t epochs = 0;            // kKeep, kSave: of this job.
  uint64_t steps = 0;             // kKeep, kSave: likewise.
  bool kept = false;              // kSave: what the last kKeep wrote, not the tables as they are.
  std::string reason;             // kEnded: empty when the job succeeded.
};

// What rank 0 found in the job's data.
struct IndexOutcome {
  PredictionKind prediction = PredictionKind::kBinary;
  uint32_t train_blocks = 0;
  uint64_t train_rows = 0;
  uint32_t test_blocks = 0;
  uint64_t test_rows = 0;
};
// The rank has opened its tables.
struct PrepareOutcome {};
// Of one rank and epoch.
struct TrainOutcome {
  uint64_t rows = 0;
  uint64_t rows_skipped = 0;
  double loss_sum = 0;
  uint64_t steps = 0;
};
// What the scored rows of one block add up to.
struct BlockScore {
  uint32_t block = 0;
  EvaluationSums sums;
};
// One rank's share of an evaluation.
struct EvaluateOutcome {
  std::vector<BlockScore> blocks;
  uint64_t rows_skipped = 0;
};
// Rank 0 has saved the model, or kept it, where the job names one.
struct SaveOutcome {};

// A status other than OK: the task failed.
using TaskOutcome = std::variant<absl::Status, IndexOutcome, PrepareOutcome, TrainOutcome,
                                 EvaluateOutcome, SaveOutcome>;

// The exact AUC over what all ranks scored in one validate or evaluate phase.
struct CountedScores {
  uint64_t rows = 0;
  std::optional<double> auc;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_JOB_TASKS_H_
