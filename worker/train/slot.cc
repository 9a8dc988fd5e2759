// SPDX-License-Identifier: Apache-2.0
#include "worker/train/slot.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "worker/train/seat.h"

namespace seraph {
namespace {

constexpr absl::Duration kPark = absl::Seconds(1);
constexpr absl::Duration kAnswerDeadline = absl::Seconds(5);
constexpr absl::Duration kPauseAfterError = absl::Milliseconds(100);

void Fail(const absl::Status& status, v1::NextTask* next) {
  v1::TaskFailure* failure = next->mutable_failure();
  failure->set_code(static_cast<uint32_t>(status.code()));
  failure->set_error(std::string(status.message()));
  failure->set_hint(HintOf(status));
}

// Whether the same request may be taken later.
bool MendsWithTime(const absl::Status& status) {
  return absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status) ||
         absl::IsResourceExhausted(status);
}

// The result's place in the request, or the error.
template <typename Result>
absl::Status Put(absl::StatusOr<Result> result, Result* place) {
  if (!result.ok()) return result.status();
  *place = *std::move(result);
  return absl::OkStatus();
}

}  // namespace

Slot::Slot(const Options& options) : options_(options), thread_([this] { Run(); }) {}

Slot::~Slot() {
  Stop(absl::CancelledError("the worker shuts down"));
  thread_.join();
}

void Slot::Stop(const absl::Status& reason) {
  std::shared_ptr<RankJob> job;
  {
    MutexLock lock(&mu_);
    if (!stop_reason_.ok()) return;
    stop_reason_ = reason;
    stopped_.NotifyAll();
    job = abortable_;
  }
  if (job != nullptr) job->Abort(reason);
}

bool Slot::stopping() const {
  MutexLock lock(&mu_);
  return !stop_reason_.ok();
}

void Slot::Pause() {
  const absl::Time end = options_.clock->Now() + kPauseAfterError;
  MutexLock lock(&mu_);
  while (stop_reason_.ok() && options_.clock->WaitUntil(&stopped_, &mu_, end)) {
  }
}

void Slot::Run() {
  v1::NextTask next;
  while (!stopping()) {
    next.set_node(options_.node);
    next.set_timeout_s(absl::ToDoubleSeconds(kPark));
    const absl::StatusOr<v1::NextTaskReply> task = options_.agent->NextTask(next, kAnswerDeadline);
    if (!task.ok()) {
      // Whether the node is still a member is the lease keeper's to judge.
      if (next.job() != 0 && !MendsWithTime(task.status())) GiveUp(task.status(), &next);
      Pause();
    } else if (task->task() == 0) {
      next.clear_result();  // Taken; there is nothing to do yet.
    } else {
      RunTask(*task, &next);
    }
  }
  EndJob();
}

void Slot::GiveUp(const absl::Status& why, v1::NextTask* next) {
  if (next->has_failure()) {
    EndJob();
    next->Clear();
    return;
  }
  next->clear_result();
  Fail(Annotate(why, absl::StrCat("task ", next->task(), " of rank ", next->rank())), next);
}

void Slot::RunTask(const v1::NextTaskReply& task, v1::NextTask* next) {
  next->Clear();
  next->set_job(task.job());
  next->set_rank(task.rank());
  next->set_task(task.task());
  absl::Status status = StartJob(task);
  if (task.has_finish()) {
    if (job_ != nullptr) job_->Finish(task.finish());
    EndJob();
    next->Clear();  // Free for another job.
    return;
  }
  if (status.ok()) status = Dispatch(task, next);
  if (!status.ok()) Fail(status, next);
}

absl::Status Slot::StartJob(const v1::NextTaskReply& task) {
  if (job_ != nullptr && job_->options().seat.job == task.job()) return absl::OkStatus();
  EndJob();
  if (!task.has_spec())
    return absl::InternalError(absl::StrCat("the first task of job ", task.job(), " has no spec"));
  ASSIGN_OR_RETURN(
      std::shared_ptr<RankJob> job,
      RankJob::Create({options_.network, options_.clock, options_.file_system, options_.agent,
                       options_.scheduler, options_.spill_folder,
                       Seat{options_.node, task.job(), task.rank()}, task.group(), task.spec()}));
  {
    MutexLock lock(&mu_);
    RETURN_IF_ERROR(stop_reason_);
    abortable_ = job;
  }
  job_ = std::move(job);
  RankJob* const watched = job_.get();
  watcher_ = std::make_unique<JobWatcher>(
      options_.agent, options_.clock, task.job(),
      [watched](const absl::Status& reason) { watched->Abort(reason); });
  return absl::OkStatus();
}

void Slot::EndJob() {
  watcher_.reset();
  job_.reset();
  MutexLock lock(&mu_);
  abortable_.reset();
}

absl::Status Slot::Dispatch(const v1::NextTaskReply& task, v1::NextTask* result) {
  switch (task.kind_case()) {
    case v1::NextTaskReply::kIndex:
      return Put(job_->Index(task.index()), result->mutable_index());
    case v1::NextTaskReply::kPrepare:
      return Put(job_->Prepare(task.prepare()), result->mutable_prepare());
    case v1::NextTaskReply::kTrain:
      return Put(job_->Train(task.train()), result->mutable_train());
    case v1::NextTaskReply::kEvaluate:
      return Put(job_->Evaluate(task.evaluate(), task.task()), result->mutable_evaluate());
    case v1::NextTaskReply::kSave:
      return Put(job_->Save(task.save()), result->mutable_save());
    default:
      return absl::UnimplementedError("a task of a kind that this worker does not know");
  }
}

}  // namespace seraph
