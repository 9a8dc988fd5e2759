// SPDX-License-Identifier: Apache-2.0
// Sees from a thread of its own that a job has ended while this rank may still be waiting for
// others.
#ifndef SERAPH_WORKER_TRAIN_JOB_WATCHER_H_
#define SERAPH_WORKER_TRAIN_JOB_WATCHER_H_

#include <cstdint>
#include <functional>
#include <thread>

#include "absl/status/status.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"

namespace seraph {

// Watches until the job ends, the scheduler does not know it, or the watcher is destroyed (which
// takes up to a second while the job runs, and three when the scheduler is silent).
class JobWatcher {
 public:
  // `on_failure` runs at most once, on the watcher's thread, when the job failed or was cancelled;
  // the status says why. A scheduler that does not answer, or refuses to, is no reason: it is asked
  // again. `agent` and `clock` outlive the watcher.
  JobWatcher(SchedulerAgent* agent, Clock* clock, uint64_t job,
             std::function<void(const absl::Status&)> on_failure);
  ~JobWatcher();

 private:
  void Run();
  // Passes on what the events say. False: there is nothing more to watch.
  bool Tell(const v1::WatchJobReply& reply, uint64_t* after);
  void Pause();
  bool stopping() const {
    MutexLock lock(&mu_);
    return stopping_;
  }

  SchedulerAgent* const agent_;
  Clock* const clock_;
  const uint64_t job_;
  const std::function<void(const absl::Status&)> on_failure_;
  mutable Mutex mu_;
  CondVar stop_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_JOB_WATCHER_H_
