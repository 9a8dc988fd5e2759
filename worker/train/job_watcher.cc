// SPDX-License-Identifier: Apache-2.0
#include "worker/train/job_watcher.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace seraph {
namespace {

constexpr absl::Duration kPark = absl::Seconds(1);
constexpr absl::Duration kAnswerDeadline = absl::Seconds(3);
constexpr absl::Duration kPauseAfterError = absl::Milliseconds(200);

}  // namespace

JobWatcher::JobWatcher(SchedulerAgent* agent, Clock* clock, uint64_t job,
                       std::function<void(const absl::Status&)> on_failure)
    : agent_(agent), clock_(clock), job_(job), on_failure_(std::move(on_failure)), thread_([this] {
        Run();
      }) {}

JobWatcher::~JobWatcher() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    stop_.NotifyAll();
  }
  thread_.join();
}

void JobWatcher::Run() {
  v1::WatchJob watch;
  watch.set_job(job_);
  watch.set_timeout_s(absl::ToDoubleSeconds(kPark));
  uint64_t after = 0;
  while (!stopping()) {
    watch.set_after(after);
    const absl::StatusOr<v1::WatchJobReply> reply = agent_->WatchJob(watch, kAnswerDeadline);
    if (reply.ok()) {
      if (!Tell(*reply, &after)) return;
    } else if (absl::IsNotFound(reply.status())) {
      return;  // A scheduler that does not know the job. The lease keeper hears from it as well.
    } else {
      Pause();
    }
  }
}

bool JobWatcher::Tell(const v1::WatchJobReply& reply, uint64_t* after) {
  for (const v1::JobEvent& event : reply.events()) {
    *after = event.number();
    if (!event.has_done()) continue;
    if (event.done().status() != v1::JobDone::SUCCEEDED) {
      on_failure_(
          absl::AbortedError(absl::StrCat("job ", job_, " has ended: ", event.done().error())));
    }
    return false;
  }
  return true;
}

void JobWatcher::Pause() {
  const absl::Time end = clock_->Now() + kPauseAfterError;
  MutexLock lock(&mu_);
  while (!stopping_ && clock_->WaitUntil(&stop_, &mu_, end)) {
  }
}

}  // namespace seraph
