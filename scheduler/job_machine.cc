// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Progress is for eyes.
constexpr absl::Duration kProgressPeriod = absl::Milliseconds(200);

absl::string_view PhaseName(Phase phase) {
  switch (phase) {
    case Phase::kPending:
      return "pending";
    case Phase::kIndex:
    case Phase::kPrepare:
      return "reading";
    case Phase::kTrain:
      return "training";
    case Phase::kValidate:
      return "validating";
    case Phase::kEvaluate:
      return "testing";
    case Phase::kKeep:
    case Phase::kSave:
      return "saving";
    case Phase::kEnded:
      return "ended";
  }
  return "unknown";
}

// Whether this is the kind of result that the phase's task has.
bool Fits(Phase phase, const TaskOutcome& outcome) {
  switch (phase) {
    case Phase::kIndex:
      return std::holds_alternative<IndexOutcome>(outcome);
    case Phase::kPrepare:
      return std::holds_alternative<PrepareOutcome>(outcome);
    case Phase::kTrain:
      return std::holds_alternative<TrainOutcome>(outcome);
    case Phase::kValidate:
    case Phase::kEvaluate:
      return std::holds_alternative<EvaluateOutcome>(outcome);
    case Phase::kKeep:
    case Phase::kSave:
      return std::holds_alternative<SaveOutcome>(outcome);
    case Phase::kPending:
    case Phase::kEnded:
      return false;
  }
  return false;
}

double PerSecond(uint64_t rows, double seconds) {
  return seconds > 0 ? static_cast<double>(rows) / seconds : 0;
}

// A model of no rows says nothing, and would replace one that does.
absl::Status AllBad(absl::string_view key, uint64_t rows) {
  return absl::InvalidArgumentError(
      absl::StrCat(key, ": all ", rows, " rows are bad and were skipped"));
}

// Which rows a scoring phase is about.
absl::string_view ScoredName(Phase phase) {
  return phase == Phase::kValidate ? "validation" : "test";
}

absl::Status NoneHeldOut(uint64_t rows) {
  return WithHint(absl::InvalidArgumentError(absl::StrCat(
                      "validation: of ", rows, " training rows none that can be read is held out")),
                  "hold out a larger share, or state data.test instead");
}

}  // namespace

JobMachine::JobMachine(const JobPlan& plan) : plan_(plan), ranks_(plan.workers) {
  if (plan.early_stop.has_value()) best_.emplace(*plan.early_stop);
}

void JobMachine::Start(absl::Time now) {
  started_ = now;
  Enter(Phase::kIndex, now);
}

bool JobMachine::TakesPart(uint32_t rank) const {
  const bool alone = phase_ == Phase::kIndex || phase_ == Phase::kKeep || phase_ == Phase::kSave;
  return !alone || rank == 0;
}

std::optional<Task> JobMachine::TaskFor(uint32_t rank) const {
  if (phase_ == Phase::kPending) return std::nullopt;
  if (!ended() && (!TakesPart(rank) || ranks_[rank].answered == task_)) return std::nullopt;
  Task task;
  task.number = task_;
  task.phase = phase_;
  task.epoch = epoch_;
  if (phase_ == Phase::kTrain) task.start_clock = MostSteps();
  if (phase_ == Phase::kKeep || phase_ == Phase::kSave) {
    task.epochs = best_.has_value() ? best_->epoch() : epoch_;
    task.steps = best_.has_value() ? best_steps_ : MostSteps();
    task.kept = phase_ == Phase::kSave && task.epochs != epoch_;
  }
  if (ended()) task.reason = finish_reason_;
  return task;
}

absl::StatusOr<bool> JobMachine::TakeResult(uint32_t rank, uint64_t task, TaskOutcome outcome,
                                            absl::Time now) {
  if (rank >= plan_.workers) {
    return absl::InvalidArgumentError(
        absl::StrCat("result of rank ", rank, ": the job has ", plan_.workers, " ranks"));
  }
  if (task == 0 || task > task_) {
    return absl::InvalidArgumentError(
        absl::StrCat("result of task ", task, " from rank ", rank, ": the job is at task ", task_));
  }
  if (ended()) return false;
  // Also of a task that is done: the rank cannot go on, for example because it cannot read the
  // next.
  if (const auto* failure = std::get_if<absl::Status>(&outcome); failure != nullptr) {
    Fail(failure->ok() ? absl::InternalError("a task failed without a reason") : *failure, now);
    return true;
  }
  if (task < task_ || ranks_[rank].answered == task_) return false;
  if (!TakesPart(rank) || !Fits(phase_, outcome)) {
    return absl::InvalidArgumentError(absl::StrCat("result of task ", task, " from rank ", rank,
                                                   ": not one of ", PhaseName(phase_)));
  }
  ranks_[rank].answered = task_;
  if (absl::Status status = Store(rank, &outcome); !status.ok()) {
    Fail(status, now);
    return true;
  }
  for (uint32_t r = 0; r < plan_.workers; ++r) {
    if (TakesPart(r) && ranks_[r].answered != task_) return true;
  }
  Advance(now);
  return true;
}

absl::Status JobMachine::Store(uint32_t rank, TaskOutcome* outcome) {
  if (const auto* index = std::get_if<IndexOutcome>(outcome)) {
    index_ = *index;
  } else if (const auto* trained = std::get_if<TrainOutcome>(outcome)) {
    if (!std::isfinite(trained->loss_sum)) {
      return absl::AbortedError(absl::StrCat("epoch ", epoch_, ": the training loss of rank ", rank,
                                             " is not finite: the job diverged"));
    }
    ranks_[rank].trained = *trained;
    // Its rows are learned, whether or not the last reports came first.
    if (leases_.has_value()) leases_->DoneAll(rank);
  } else if (auto* scored = std::get_if<EvaluateOutcome>(outcome)) {
    done_.rows_skipped += scored->rows_skipped;
    std::move(scored->blocks.begin(), scored->blocks.end(), std::back_inserter(blocks_));
  }
  return absl::OkStatus();
}

void JobMachine::Enter(Phase phase, absl::Time now) {
  phase_ = phase;
  ++task_;
  phase_began_ = now;
  blocks_.clear();
  for (Rank& rank : ranks_) {
    rank.progress_rows = 0;
    rank.progress_loss = 0;
  }
  if (phase != Phase::kPrepare) AppendProgress(now);
}

void JobMachine::EnterTrain(absl::Time now) {
  ++epoch_;
  if (leases_.has_value()) leases_->StartEpoch(epoch_);
  Enter(Phase::kTrain, now);
}

void JobMachine::Advance(absl::Time now) {
  switch (phase_) {
    case Phase::kIndex:
      return AfterIndex(now);
    case Phase::kPrepare:
      return EnterTrain(now);
    case Phase::kTrain:
      return AfterTrain(now);
    case Phase::kValidate:
    case Phase::kEvaluate:
      return AfterScoring(now);
    case Phase::kKeep:
      return EnterTrain(now);
    case Phase::kSave:
      return End(JobDoneEvent::Status::kSucceeded, absl::OkStatus(), now);
    case Phase::kPending:
    case Phase::kEnded:
      return;
  }
}

void JobMachine::AfterIndex(absl::Time now) {
  if (index_.train_rows == 0) {
    return Fail(absl::InvalidArgumentError("data.train: there are no rows"), now);
  }
  if (plan_.tests && index_.test_rows == 0) {
    return Fail(absl::InvalidArgumentError("data.test: there are no rows"), now);
  }
  if (plan_.leases) leases_.emplace(index_.train_blocks, plan_.workers, plan_.seed);
  events_.Append(JobStartedEvent{plan_.servers, plan_.workers, index_.train_rows});
  Enter(Phase::kPrepare, now);
}

void JobMachine::AfterTrain(absl::Time now) {
  if (leases_.has_value() && leases_->blocks_left() > 0) {
    return Fail(absl::InternalError(absl::StrCat("epoch ", epoch_, ": ", leases_->blocks_left(),
                                                 " blocks of the training data were not learned")),
                now);
  }
  epoch_done_ = EpochDoneEvent();
  epoch_done_.epoch = epoch_;
  double loss_sum = 0;
  for (const Rank& rank : ranks_) {
    epoch_done_.rows += rank.trained.rows;
    loss_sum += rank.trained.loss_sum;
    done_.rows_skipped += rank.trained.rows_skipped;
  }
  done_.rows_read += epoch_done_.rows;
  if (epoch_done_.rows == 0) return Fail(NothingLearned(), now);
  epoch_done_.seconds = absl::ToDoubleSeconds(now - phase_began_);
  epoch_done_.rows_per_s = PerSecond(epoch_done_.rows, epoch_done_.seconds);
  epoch_done_.train.metrics = SummariseLoss(index_.prediction, epoch_done_.rows, loss_sum);
  GoOnInEpoch(now);
}

absl::Status JobMachine::NothingLearned() const {
  if (!plan_.validates) return AllBad("data.train", index_.train_rows);
  return WithHint(absl::InvalidArgumentError(absl::StrCat(
                      "validation: all of ", index_.train_rows,
                      " training rows that can be read are held out, none is left to learn")),
                  "hold out a smaller share");
}

void JobMachine::GoOnInEpoch(absl::Time now) {
  if (phase_ == Phase::kTrain && plan_.validates) return Enter(Phase::kValidate, now);
  if (phase_ != Phase::kEvaluate && plan_.tests) return Enter(Phase::kEvaluate, now);
  FinishEpoch(now);
}

void JobMachine::AfterScoring(absl::Time now) {
  absl::StatusOr<Score> score = SumBlocks();
  if (!score.ok()) return Fail(score.status(), now);
  scored() = *score;
  if (TraitsOf(index_.prediction).has_auc()) {
    wants_scores_ = true;
    return;
  }
  GoOnInEpoch(now);
}

absl::StatusOr<Score> JobMachine::SumBlocks() {
  const bool validates = phase_ == Phase::kValidate;
  const absl::string_view what = ScoredName(phase_);
  const uint32_t count = validates ? index_.train_blocks : index_.test_blocks;
  std::sort(blocks_.begin(), blocks_.end(),
            [](const BlockScore& a, const BlockScore& b) { return a.block < b.block; });
  for (size_t i = 0; i < blocks_.size(); ++i) {
    if (blocks_[i].block != i) {
      return absl::InternalError(absl::StrCat("epoch ", epoch_, ": ", what, " block ",
                                              std::min<uint64_t>(i, blocks_[i].block),
                                              " was not scored exactly once"));
    }
  }
  if (blocks_.size() != count) {
    return absl::InternalError(absl::StrCat("epoch ", epoch_, ": ", blocks_.size(), " of ", count,
                                            " ", what, " blocks were scored"));
  }
  EvaluationSums total;
  for (const BlockScore& block : blocks_) total.Add(block.sums);
  if (total.rows == 0) {
    return validates ? NoneHeldOut(index_.train_rows) : AllBad("data.test", index_.test_rows);
  }
  if (!std::isfinite(total.loss)) {
    return absl::AbortedError(
        absl::StrCat("epoch ", epoch_, ": the ", what, " loss is not finite: the job diverged"));
  }
  return Score{Summarise(index_.prediction, total), std::nullopt};
}

absl::Status JobMachine::CheckScoring(uint32_t rank, uint64_t task) const {
  if (ended()) return EndedError();
  const bool scoring = phase_ == Phase::kValidate || phase_ == Phase::kEvaluate;
  if (!scoring || task != task_ || rank >= plan_.workers || ranks_[rank].answered == task_) {
    return absl::FailedPreconditionError(absl::StrCat("scores of task ", task, " from rank ", rank,
                                                      ": the job is at task ", task_, ", ",
                                                      PhaseName(phase_)));
  }
  return absl::OkStatus();
}

void JobMachine::SetScores(uint64_t task, const absl::StatusOr<CountedScores>& scores,
                           absl::Time now) {
  if (!wants_scores_ || task != task_ || ended()) return;
  wants_scores_ = false;
  if (!scores.ok()) return Fail(Annotate(scores.status(), "count the AUC"), now);
  Score& score = *scored();
  if (scores->rows != score.metrics.rows) {
    return Fail(absl::InternalError(absl::StrCat("epoch ", epoch_, ": scores of ", scores->rows,
                                                 " ", ScoredName(phase_), " rows came for ",
                                                 score.metrics.rows, " rows")),
                now);
  }
  score.auc = scores->auc;
  GoOnInEpoch(now);
}

void JobMachine::FinishEpoch(absl::Time now) {
  epoch_done_.validation = validation_;
  epoch_done_.test = test_;
  done_.epochs = epoch_;
  events_.Append(epoch_done_);
  if (best_.has_value()) return CompareEpoch(now);
  done_.validation = validation_;
  done_.test = test_;
  if (epoch_ < plan_.epochs) return EnterTrain(now);
  Enter(Phase::kSave, now);
}

void JobMachine::CompareEpoch(absl::Time now) {
  const absl::StatusOr<bool> better = best_->Take(epoch_, plan_.validates ? *validation_ : *test_);
  if (!better.ok()) return Fail(better.status(), now);
  if (*better) {
    best_steps_ = MostSteps();
    done_.best_epoch = epoch_;
    done_.validation = validation_;
    done_.test = test_;
  }
  if (epoch_ == plan_.epochs || best_->Exhausted(epoch_)) return Enter(Phase::kSave, now);
  if (*better) return Enter(Phase::kKeep, now);
  EnterTrain(now);
}

void JobMachine::Fail(const absl::Status& error, absl::Time now) {
  End(JobDoneEvent::Status::kFailed, error, now);
}

void JobMachine::Cancel(absl::string_view reason, absl::Time now) {
  End(JobDoneEvent::Status::kCancelled, absl::CancelledError(reason.empty() ? "cancelled" : reason),
      now);
}

void JobMachine::End(JobDoneEvent::Status status, absl::Status error, absl::Time now) {
  if (ended()) return;
  phase_ = Phase::kEnded;
  ++task_;
  wants_scores_ = false;
  blocks_.clear();
  leases_.reset();
  error_ = error;
  finish_reason_ = std::string(error.message());
  if (!error.ok() && finish_reason_.empty()) finish_reason_ = error.ToString();
  done_.status = status;
  done_.error = std::move(error);
  done_.seconds = started_ < now ? absl::ToDoubleSeconds(now - started_) : 0;
  events_.Append(done_);
}

absl::Status JobMachine::EndedError() const {
  return absl::AbortedError(error_.ok() ? "the job has ended"
                                        : absl::StrCat("the job has ended: ", finish_reason_));
}

uint64_t JobMachine::MostSteps() const {
  uint64_t most = 0;
  for (const Rank& rank : ranks_) most = std::max(most, rank.trained.steps);
  return most;
}

absl::Status JobMachine::ReportProgress(uint32_t rank, uint32_t epoch, uint64_t rows,
                                        double loss_sum, absl::Time now) {
  if (rank >= plan_.workers) {
    return absl::InvalidArgumentError(
        absl::StrCat("progress of rank ", rank, ": the job has ", plan_.workers, " ranks"));
  }
  if (ended()) return EndedError();
  if (phase_ != Phase::kTrain || epoch != epoch_) return absl::OkStatus();
  Rank& at = ranks_[rank];
  if (rows < at.progress_rows) return absl::OkStatus();  // An older one, come late.
  at.progress_rows = rows;
  at.progress_loss = loss_sum;
  if (now - last_progress_ >= kProgressPeriod) AppendProgress(now);
  return absl::OkStatus();
}

void JobMachine::AppendProgress(absl::Time now) {
  JobProgressEvent event;
  event.epoch = epoch_;
  event.phase = std::string(PhaseName(phase_));
  double loss_sum = 0;
  for (const Rank& rank : ranks_) {
    event.rows += rank.progress_rows;
    loss_sum += rank.progress_loss;
  }
  if (event.rows > 0) event.train_loss = loss_sum / static_cast<double>(event.rows);
  event.rows_per_s = PerSecond(event.rows, absl::ToDoubleSeconds(now - phase_began_));
  events_.Append(std::move(event));
  last_progress_ = now;
}

absl::StatusOr<ShardLeases::Lease> JobMachine::LeaseBlocks(uint32_t rank, uint32_t epoch,
                                                           absl::Span<const uint64_t> done,
                                                           bool want) {
  if (rank >= plan_.workers) {
    return absl::InvalidArgumentError(
        absl::StrCat("lease for rank ", rank, ": the job has ", plan_.workers, " ranks"));
  }
  if (ended()) return EndedError();
  if (!plan_.leases) {
    return absl::FailedPreconditionError("lease: under BSP the seed deals the training data");
  }
  if (epoch > epoch_) {
    return absl::FailedPreconditionError(
        absl::StrCat("lease for epoch ", epoch, ": the job is at epoch ", epoch_));
  }
  if (epoch < epoch_ || phase_ != Phase::kTrain) return ShardLeases::Lease();
  for (const uint64_t lease : done) RETURN_IF_ERROR(leases_->Done(rank, lease));
  // After its result a rank has nothing more to learn: this is a repeat of an older request.
  if (!want || ranks_[rank].answered == task_) return ShardLeases::Lease();
  return leases_->Next(rank);
}

}  // namespace seraph
