// SPDX-License-Identifier: Apache-2.0
#include "worker/train/job_watcher.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"

namespace seraph {
namespace {

constexpr absl::Duration kPark = absl::Seconds(1);
constexpr absl::Duration kAnswerDeadline = absl::Seconds(3);

}  // namespace

JobWatcher::JobWatcher(SchedulerAgent* agent, uint64_t job,
                       std::function<void(const absl::Status&)> on_failure)
    : agent_(agent), job_(job), on_failure_(std::move(on_failure)), thread_([this] { Run(); }) {}

JobWatcher::~JobWatcher() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
  }
  thread_.join();
}

void JobWatcher::Run() {
  v1::WatchJob watch;
  watch.set_job(job_);
  watch.set_timeout_s(absl::ToDoubleSeconds(kPark));
  while (!stopping()) {
    const absl::StatusOr<v1::WatchJobReply> reply = agent_->WatchJob(watch, kAnswerDeadline);
    // NOT_FOUND: a scheduler that does not know the job. The lease keeper hears from it as well.
    if (!reply.ok() && reply.status().code() != absl::StatusCode::kUnavailable &&
        reply.status().code() != absl::StatusCode::kDeadlineExceeded) {
      return;
    }
    if (!reply.ok()) continue;
    for (const v1::JobEvent& event : reply->events()) {
      watch.set_after(event.number());
      if (!event.has_done()) continue;
      if (event.done().status() != v1::JobDone::SUCCEEDED) {
        on_failure_(
            absl::AbortedError(absl::StrCat("job ", job_, " has ended: ", event.done().error())));
      }
      return;
    }
  }
}

}  // namespace seraph
