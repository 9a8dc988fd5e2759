// SPDX-License-Identifier: Apache-2.0
// The scheduler behind a listener: one mutex around the cores, requests that park, and one thread
// for what happens by time alone.
#ifndef SERAPH_SCHEDULER_SERVICE_CONTROL_SERVICE_H_
#define SERAPH_SCHEDULER_SERVICE_CONTROL_SERVICE_H_

#include <cstdint>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "common/score_runs.h"
#include "scheduler/service/auc_counter.h"
#include "scheduler/service/control_plane.h"
#include "scheduler/service/parked_requests.h"
#include "scheduler/service/repeat_filter.h"
#include "transport/channel.h"

namespace seraph {

// Thread-safe. Answers are sent with no lock held. Parked requests are answered when something has
// changed that concerns them, or empty when their time is up; nothing polls. Under the lock a
// request takes time in what it changes, not in all that is parked, joined or submitted.
class ControlService : public FrameHandler {
 public:
  static constexpr size_t kMostParked = 65536;

  struct Options {
    Clock* clock = nullptr;  // Outlives the service.
    absl::Duration lease = absl::Seconds(3);
    std::string cluster;  // Its name.
    ScoreRuns::Options scores;
    size_t most_parked = kMostParked;  // More are refused: RESOURCE_EXHAUSTED.
  };
  explicit ControlService(const Options& options);
  ~ControlService() override;

  void Handle(Frame request, absl::string_view peer, Respond respond) override;

  // Answers what is parked, and whatever comes later, with UNAVAILABLE. Idempotent.
  void Shutdown();

  static constexpr absl::Duration kLongestPark = absl::Seconds(60);

 private:
  using Reply = absl::StatusOr<v1::ControlReply>;

  // Answers to send once the lock is free.
  using Answers = std::vector<std::pair<Respond, Reply>>;

  void AnswerAtOnce(const v1::ControlRequest& request, Respond respond, Answers* answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void AddScores(const v1::ControlRequest& request, Respond respond, Answers* answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void BeginNextTask(v1::ControlRequest* request, Respond respond, Answers* answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void BringScores(const v1::NextTask& request) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void AnswerOrPark(v1::ControlRequest request, double timeout_s, Respond respond, Answers* answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  // Everything that follows from a change.
  void Settle(Answers* answers) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Asks again for those whom the changes concern.
  void AnswerParked(const ControlPlane::Changes& changes, Answers* answers)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // `free_slots`: of the asker's node, that ask for a job now.
  ControlPlane::MaybeReply Try(const v1::ControlRequest& request, uint32_t free_slots)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void AnswerLate(absl::Time now, Answers* answers) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  absl::Time NextDeadline() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  void ScoresCounted(uint64_t job, uint64_t task, const absl::StatusOr<CountedScores>& scores);
  void KeepTime();

  Clock* const clock_;
  const size_t most_parked_;
  Mutex mu_;
  CondVar changed_;  // For the time keeper: an earlier deadline, or the end.
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  absl::Time keeper_waits_until_ ABSL_GUARDED_BY(mu_) = absl::InfinitePast();
  ControlPlane plane_ ABSL_GUARDED_BY(mu_);
  RepeatFilter repeats_ ABSL_GUARDED_BY(mu_);
  ParkedRequests parked_ ABSL_GUARDED_BY(mu_);
  AucCounter auc_counter_;
  std::thread time_keeper_;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_CONTROL_SERVICE_H_
