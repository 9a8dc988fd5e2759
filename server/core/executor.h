// SPDX-License-Identifier: Apache-2.0
// The thread that owns a set of partitions.
#ifndef SERAPH_SERVER_CORE_EXECUTOR_H_
#define SERAPH_SERVER_CORE_EXECUTOR_H_

#include <cstdint>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/core/memory_budget.h"
#include "server/core/partition_set.h"

namespace seraph {

// Work is done one after another, in the order in which it was posted. The thread sleeps until work
// comes or a parked pull's deadline passes.
class Executor {
 public:
  using Work = absl::AnyInvocable<void(PartitionSet*)>;

  // `clock` and `budget` outlive the executor.
  Executor(int32_t number, Clock* clock, MemoryBudget* budget);
  ~Executor();  // Stops.
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  // Thread-safe. False, and the work is not done, once stopped.
  bool Post(Work work);

  // Does the work posted before, answers parked pulls with `reason` and ends the thread.
  // Idempotent, from one thread at a time, not from within work.
  void Stop(const absl::Status& reason);

 private:
  void Run();
  std::vector<Work> WaitForWork(bool* stopping);

  Clock* const clock_;
  PartitionSet set_;  // The thread's own.
  Mutex mu_;
  CondVar wake_;
  std::vector<Work> mailbox_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  absl::Status reason_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_EXECUTOR_H_
