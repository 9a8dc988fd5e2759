// SPDX-License-Identifier: Apache-2.0
#include "worker/worker_app.h"

#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "worker/train/slot.h"

namespace seraph {
namespace {

constexpr int kMaxSlots = 256;
constexpr absl::Duration kLeaveDeadline = absl::Seconds(1);

absl::Status Validate(const WorkerApp::Options& options) {
  if (options.network == nullptr || options.clock == nullptr || options.file_system == nullptr) {
    return absl::InvalidArgumentError(
        "start a worker: network, clock and file_system are required");
  }
  if (options.scheduler.empty())
    return absl::InvalidArgumentError("start a worker: the scheduler's address is empty");
  if (options.slots < 1 || options.slots > kMaxSlots) {
    return absl::InvalidArgumentError(
        absl::StrCat("start a worker: slots ", options.slots, " is not in 1..", kMaxSlots));
  }
  return absl::OkStatus();
}

class WorkerAppImpl : public WorkerApp {
 public:
  WorkerAppImpl(const Options& options, std::unique_ptr<SchedulerAgent> agent, uint64_t node,
                absl::Duration lease)
      : options_(options), agent_(std::move(agent)), node_(node) {
    for (int i = 0; i < options.slots; ++i) {
      slots_.push_back(std::make_unique<Slot>(
          Slot::Options{options.network, options.clock, options.file_system, agent_.get(),
                        options.scheduler, options.spill_folder, node}));
    }
    keeper_ =
        std::make_unique<LeaseKeeper>(agent_.get(), options.clock, node, lease,
                                      [this](absl::Status reason) { Lost(std::move(reason)); });
  }
  ~WorkerAppImpl() override { Shutdown(absl::Seconds(1)); }

  uint64_t node() const override { return node_; }

  void Shutdown(absl::Duration grace) override {
    {
      MutexLock lock(&mu_);
      if (std::exchange(stopped_, true)) return;
    }
    keeper_.reset();
    StopSlots(absl::CancelledError("the worker shuts down"));
    // Told that the node has left, the scheduler answers the requests in which its slots are
    // parked.
    if (health().ok()) Leave(std::min(grace, kLeaveDeadline));
    slots_.clear();
  }

  absl::Status health() const override {
    MutexLock lock(&mu_);
    return health_;
  }

 private:
  void Leave(absl::Duration deadline) {
    v1::NodeExited exited;
    exited.set_node(node_);
    exited.set_kind(v1::WORKER);
    exited.set_name(options_.name);
    exited.set_reason("left");
    exited.set_clean(true);
    agent_->NodeExited(exited, deadline).IgnoreError();  // Else its lease ends by itself.
  }

  void Lost(absl::Status reason) {
    {
      MutexLock lock(&mu_);
      health_ = reason;
    }
    StopSlots(reason);
  }

  // Side by side: each may have to wait for a server that hangs.
  void StopSlots(const absl::Status& reason) {
    std::vector<std::thread> stops;
    for (const std::unique_ptr<Slot>& slot : slots_)
      stops.emplace_back([slot = slot.get(), &reason] { slot->Stop(reason); });
    for (std::thread& stop : stops) stop.join();
  }

  const Options options_;
  const std::unique_ptr<SchedulerAgent> agent_;
  const uint64_t node_;
  mutable Mutex mu_;
  absl::Status health_ ABSL_GUARDED_BY(mu_);
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::unique_ptr<Slot>> slots_;
  std::unique_ptr<LeaseKeeper> keeper_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<WorkerApp>> WorkerApp::Start(const Options& options) {
  RETURN_IF_ERROR(Validate(options));
  ASSIGN_OR_RETURN(std::unique_ptr<SchedulerAgent> agent,
                   SchedulerAgent::Connect(options.network, options.clock, options.scheduler));
  v1::RegisterNode request;
  request.set_kind(v1::WORKER);
  request.set_name(options.name);
  request.set_slots(static_cast<uint32_t>(options.slots));
  request.set_version(std::string(kVersion));
  const absl::StatusOr<v1::RegisterNodeReply> registered =
      agent->RegisterNode(request, options.register_deadline);
  if (!registered.ok())
    return Annotate(registered.status(), absl::StrCat("register ", options.name));
  return std::make_unique<WorkerAppImpl>(options, std::move(agent), registered->node(),
                                         absl::Seconds(registered->lease_s()));
}

}  // namespace seraph
