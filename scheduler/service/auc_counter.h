// SPDX-License-Identifier: Apache-2.0
// Counts the exact AUC of jobs from the score runs of their ranks, on a thread of its own: sorting,
// spilling and merging take long, and heartbeats must not wait for them.
#ifndef SERAPH_SCHEDULER_SERVICE_AUC_COUNTER_H_
#define SERAPH_SCHEDULER_SERVICE_AUC_COUNTER_H_

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "common/score_runs.h"
#include "scheduler/job_tasks.h"

namespace seraph {

// Thread-safe. Work is done in the order in which it was asked for; no call waits for it.
class AucCounter {
 public:
  explicit AucCounter(ScoreRuns::Options options);
  ~AucCounter();  // Does what was asked for, then returns.

  // Adds to the scores of the job's evaluate task; those of an earlier task are thrown away. `done`
  // runs on the counter's thread.
  void Add(uint64_t job, uint64_t task, std::vector<ScoreCount> counts,
           absl::AnyInvocable<void(absl::Status)> done);

  // Counts what was added for the task (the first error of Add, when there was one), forgets it and
  // calls `done` on the counter's thread.
  void Count(uint64_t job, uint64_t task,
             absl::AnyInvocable<void(absl::StatusOr<CountedScores>)> done);

  void Forget(uint64_t job);

 private:
  struct Tally {
    uint64_t task = 0;
    absl::Status status;
    uint64_t rows = 0;
    std::unique_ptr<ScoreRuns> runs;
  };

  void Post(absl::AnyInvocable<void()> work);
  void Run();
  Tally& TallyOf(uint64_t job, uint64_t task);
  absl::Status AddTo(Tally* tally, const std::vector<ScoreCount>& counts);
  absl::StatusOr<CountedScores> CountOf(Tally* tally);

  const ScoreRuns::Options options_;
  std::map<uint64_t, Tally> tallies_;  // By job. The counter's thread alone.
  Mutex mu_;
  CondVar posted_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::deque<absl::AnyInvocable<void()>> work_ ABSL_GUARDED_BY(mu_);
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_AUC_COUNTER_H_
