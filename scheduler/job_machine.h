// SPDX-License-Identifier: Apache-2.0
// One job from submission to end, as a state machine:
//
//   pending -> index -> prepare -> { train -> validate -> evaluate -> keep } per epoch -> save
//           -> ended
//
// A phase ends when each of its ranks has handed in its result. Validate is left out where no rows
// are held out, evaluate without test data, keep but after the best epoch so far of a job that
// stops early; save also reports what the servers did, and writes a model where the job names one.
// A failed task, a failure from outside (a dead node) and a cancellation end the job at once, in
// any phase; every rank is then told to finish.
#ifndef SERAPH_SCHEDULER_JOB_MACHINE_H_
#define SERAPH_SCHEDULER_JOB_MACHINE_H_

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "scheduler/best_epoch.h"
#include "scheduler/job_events.h"
#include "scheduler/job_tasks.h"
#include "scheduler/shard_leases.h"

namespace seraph {

// Not thread-safe. Pure: a function of what it was told and when. Sums over ranks go in rank order,
// sums over blocks in block order, so that figures have the same bits in every run.
class JobMachine {
 public:
  // REQUIRES: plan.workers, plan.epochs > 0.
  explicit JobMachine(const JobPlan& plan);

  const JobPlan& plan() const { return plan_; }
  Phase phase() const { return phase_; }
  uint64_t task() const { return task_; }  // Number of the phase's task; 0 before the start.
  bool ended() const { return phase_ == Phase::kEnded; }
  // Why it ended; OK after success and before the end.
  const absl::Status& error() const { return error_; }
  const EventLog& events() const { return events_; }

  // The cluster has room. REQUIRES: pending.
  void Start(absl::Time now);

  // What `rank` has to do now; nothing while it waits for others. After the end: finish.
  std::optional<Task> TaskFor(uint32_t rank) const;

  // True: taken. False: a repeat, or too late; nothing changed. INVALID_ARGUMENT: a rank, task or
  // kind of result that does not belong here; nothing changed. A failure, of whatever task so far,
  // ends the job.
  absl::StatusOr<bool> TakeResult(uint32_t rank, uint64_t task, TaskOutcome outcome,
                                  absl::Time now);

  // Evaluation of a model that has an AUC: all sums are in and the job waits for SetScores.
  bool wants_scores() const { return wants_scores_; }
  // `task` is the number of the task that scored; an old one changes nothing.
  void SetScores(uint64_t task, const absl::StatusOr<CountedScores>& scores, absl::Time now);
  // Whether `rank` may still report scores for `task`. ABORTED with the reason after the end, else
  // FAILED_PRECONDITION.
  absl::Status CheckScoring(uint32_t rank, uint64_t task) const;

  // Rows and loss of this epoch so far. ABORTED with the reason once the job has ended, so that a
  // rank at work learns of it; other epochs are ignored.
  absl::Status ReportProgress(uint32_t rank, uint32_t epoch, uint64_t rows, double loss_sum,
                              absl::Time now);

  // Reports leases as done, then deals the next one if `want`. An empty lease: nothing is left, or
  // the epoch is over. ABORTED with the reason once the job has ended; FAILED_PRECONDITION for a
  // job that leases nothing or an epoch that has not begun; INVALID_ARGUMENT for a wrong rank.
  absl::StatusOr<ShardLeases::Lease> LeaseBlocks(uint32_t rank, uint32_t epoch,
                                                 absl::Span<const uint64_t> done, bool want);

  // No effect after the end.
  void Fail(const absl::Status& error, absl::Time now);
  void Cancel(absl::string_view reason, absl::Time now);

 private:
  struct Rank {
    uint64_t answered = 0;  // Number of the last task whose result was taken.
    TrainOutcome trained;   // Of this epoch.
    uint64_t progress_rows = 0;
    double progress_loss = 0;
  };

  bool TakesPart(uint32_t rank) const;
  void Enter(Phase phase, absl::Time now);
  void EnterTrain(absl::Time now);
  absl::Status Store(uint32_t rank, TaskOutcome* outcome);
  void Advance(absl::Time now);
  void AfterIndex(absl::Time now);
  void AfterTrain(absl::Time now);
  void AfterScoring(absl::Time now);
  absl::StatusOr<Score> SumBlocks();
  // Of the validate or evaluate phase in work, or of the last one.
  std::optional<Score>& scored() { return phase_ == Phase::kValidate ? validation_ : test_; }
  // What comes after train, validate or evaluate.
  // Why an epoch has learned no row.
  absl::Status NothingLearned() const;
  void GoOnInEpoch(absl::Time now);
  void FinishEpoch(absl::Time now);
  void CompareEpoch(absl::Time now);
  void End(JobDoneEvent::Status status, absl::Status error, absl::Time now);
  absl::Status EndedError() const;
  uint64_t MostSteps() const;
  void AppendProgress(absl::Time now);

  const JobPlan plan_;
  Phase phase_ = Phase::kPending;
  uint64_t task_ = 0;  // Number of the current phase's task.
  uint32_t epoch_ = 0;
  absl::Time started_ = absl::InfiniteFuture();  // The job.
  absl::Time phase_began_ = absl::InfinitePast();
  absl::Time last_progress_ = absl::InfinitePast();
  std::vector<Rank> ranks_;
  IndexOutcome index_;
  std::optional<ShardLeases> leases_;
  std::vector<BlockScore> blocks_;  // Of the evaluate phase so far.
  bool wants_scores_ = false;
  std::optional<Score> validation_;  // Of the last validate phase.
  std::optional<Score> test_;        // Of the last evaluate phase.
  std::optional<BestEpoch> best_;    // Where the job stops early.
  uint64_t best_steps_ = 0;          // MostSteps() of that epoch.
  EpochDoneEvent epoch_done_;        // Of the epoch in work.
  JobDoneEvent done_;                // Running totals.
  absl::Status error_;
  std::string finish_reason_;
  EventLog events_;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_JOB_MACHINE_H_
