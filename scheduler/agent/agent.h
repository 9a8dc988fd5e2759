// SPDX-License-Identifier: Apache-2.0
// How everyone but the scheduler talks to the scheduler.
#ifndef SERAPH_SCHEDULER_AGENT_AGENT_H_
#define SERAPH_SCHEDULER_AGENT_AGENT_H_

#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "proto/control.pb.h"
#include "transport/channel.h"

namespace seraph {

// Typed calls, each waiting for its answer. Thread-safe. All but SendHeartbeat are tried again
// while the scheduler is UNAVAILABLE, with jittered backoff (10 ms doubling to 500 ms), until
// `timeout`; the last error is then returned, naming the scheduler's address. Repeats carry one
// request id, so that none counts twice.
class SchedulerAgent {
 public:
  // `clock` outlives the agent. INVALID_ARGUMENT for an address that cannot be read.
  static absl::StatusOr<std::unique_ptr<SchedulerAgent>> Connect(Network* network, Clock* clock,
                                                                 const std::string& address);

  // One per request of ControlRequest. `timeout` bounds the whole call, parking included: a
  // request's own timeout_s is shortened to fit into it.
  absl::StatusOr<v1::RegisterNodeReply> RegisterNode(const v1::RegisterNode& request,
                                                     absl::Duration timeout);
  absl::Status SendHeartbeat(uint64_t node, absl::Duration timeout);
  absl::Status NodeExited(const v1::NodeExited& request, absl::Duration timeout);
  absl::StatusOr<v1::ListNodesReply> ListNodes(absl::Duration timeout);
  absl::StatusOr<v1::TableInfo> CreateTable(const v1::CreateTable& request, absl::Duration timeout);
  absl::StatusOr<uint64_t> SubmitJob(const v1::JobSpec& job, absl::Duration timeout);
  absl::StatusOr<v1::WatchJobReply> WatchJob(const v1::WatchJob& request, absl::Duration timeout);
  absl::Status CancelJob(uint64_t job, const std::string& reason, absl::Duration timeout);
  absl::StatusOr<v1::NextTaskReply> NextTask(const v1::NextTask& request, absl::Duration timeout);
  absl::StatusOr<v1::LeaseShardReply> LeaseShard(const v1::LeaseShard& request,
                                                 absl::Duration timeout);
  absl::Status ReportProgress(const v1::ReportProgress& request, absl::Duration timeout);
  absl::Status ReportScores(const v1::ReportScores& request, absl::Duration timeout);

  const std::string& address() const { return channel_->address(); }

 private:
  SchedulerAgent(std::shared_ptr<Channel> channel, Clock* clock, uint64_t first_request_id)
      : channel_(std::move(channel)), clock_(clock), next_request_id_(first_request_id) {}
  absl::StatusOr<v1::ControlReply> Call(v1::ControlRequest request, absl::Duration timeout,
                                        bool retry);
  absl::StatusOr<v1::ControlReply> TryOnce(const v1::ControlRequest& request,
                                           absl::Duration timeout);

  const std::shared_ptr<Channel> channel_;
  Clock* const clock_;
  std::atomic<uint64_t> next_request_id_;  // Starts at random.
};

// Keeps a node's lease from a thread of its own until destroyed.
class LeaseKeeper {
 public:
  // Beats every third of `lease`. `on_lost` runs once, on the keeper's thread, when the scheduler
  // says that the node is unknown or dead; a scheduler that is silent is no reason
  // (docs/CONSISTENCY.md). `agent` and `clock` outlive it.
  LeaseKeeper(SchedulerAgent* agent, Clock* clock, uint64_t node, absl::Duration lease,
              std::function<void(absl::Status)> on_lost);
  ~LeaseKeeper();

 private:
  void Run();

  SchedulerAgent* const agent_;
  Clock* const clock_;
  const uint64_t node_;
  const absl::Duration period_;
  const std::function<void(absl::Status)> on_lost_;
  Mutex mu_;
  CondVar stop_;
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_AGENT_AGENT_H_
