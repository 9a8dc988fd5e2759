// SPDX-License-Identifier: Apache-2.0
// One slot of a worker: asks the scheduler for tasks, runs them, hands in results.
#ifndef SERAPH_WORKER_TRAIN_SLOT_H_
#define SERAPH_WORKER_TRAIN_SLOT_H_

#include <cstdint>
#include <memory>
#include <string>
#include <thread>

#include "common/clock.h"
#include "common/file_system.h"
#include "common/mutex.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "transport/channel.h"
#include "worker/train/job_watcher.h"
#include "worker/train/rank_job.h"

namespace seraph {

// Runs from construction until Stop. Thread-safe.
class Slot {
 public:
  struct Options {
    Network* network;  // All outlive it.
    Clock* clock;
    FileSystem* file_system;
    SchedulerAgent* agent;
    std::string scheduler;
    std::string spill_folder;
    uint64_t node;
  };
  explicit Slot(const Options& options);
  ~Slot();

  // Aborts the running task with `reason` and asks for no further one. Returns at once; the
  // destructor waits.
  void Stop(const absl::Status& reason);

 private:
  void Run();
  bool stopping() const;
  // Runs the task and fills the request that hands in its result and asks for the next.
  void RunTask(const v1::NextTaskReply& task, v1::NextTask* next);
  absl::Status StartJob(const v1::NextTaskReply& task);
  void EndJob();
  absl::Status Dispatch(const v1::NextTaskReply& task, v1::NextTask* result);

  const Options options_;
  mutable Mutex mu_;
  absl::Status stop_reason_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<RankJob> abortable_ ABSL_GUARDED_BY(mu_);  // job_, for Stop.
  std::shared_ptr<RankJob> job_;         // Of the slot's thread alone, like the watcher.
  std::unique_ptr<JobWatcher> watcher_;  // Ends before the job.
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_SLOT_H_
