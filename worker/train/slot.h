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
//
// A request that only time can mend (a scheduler that is silent or full) is sent again, with its
// result. One that will never be taken, say because the result is larger than a message, becomes
// the failure of its job; when that is refused as well, the job is unknown to the scheduler or not
// this slot's, and the slot forgets it and is free.
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

  // Aborts the running task with `reason` (RankJob::Abort) and asks for no further one. The
  // destructor waits for the task's end.
  void Stop(const absl::Status& reason);

 private:
  void Run();
  bool stopping() const;
  void Pause();  // After an error; ends with Stop.
  // `next` was refused with `why`: makes it one that may be taken.
  void GiveUp(const absl::Status& why, v1::NextTask* next);
  // Runs the task and fills the request that hands in its result and asks for the next.
  void RunTask(const v1::NextTaskReply& task, v1::NextTask* next);
  absl::Status StartJob(const v1::NextTaskReply& task);
  void EndJob();
  absl::Status Dispatch(const v1::NextTaskReply& task, v1::NextTask* result);

  const Options options_;
  mutable Mutex mu_;
  CondVar stopped_;
  absl::Status stop_reason_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<RankJob> abortable_ ABSL_GUARDED_BY(mu_);  // job_, for Stop.
  std::shared_ptr<RankJob> job_;         // Of the slot's thread alone, like the watcher.
  std::unique_ptr<JobWatcher> watcher_;  // Ends before the job.
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_SLOT_H_
