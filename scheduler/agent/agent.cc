// SPDX-License-Identifier: Apache-2.0
#include "scheduler/agent/agent.h"

#include <algorithm>
#include <random>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/backoff.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(10);
constexpr absl::Duration kLongestBackoff = absl::Milliseconds(500);

// Of the time left to a call, how much the scheduler may park its request: the rest is for the way.
constexpr double kParkedShare = 0.75;

void Sleep(Clock* clock, absl::Duration time) {
  Mutex mu;
  CondVar never;
  const absl::Time deadline = clock->Now() + time;
  MutexLock lock(&mu);
  while (clock->WaitUntil(&never, &mu, deadline)) {
  }
}

void LimitParking(v1::ControlRequest* request, absl::Duration left) {
  const double limit = absl::ToDoubleSeconds(left) * kParkedShare;
  if (request->has_next_task()) {
    v1::NextTask* ask = request->mutable_next_task();
    ask->set_timeout_s(std::min(ask->timeout_s(), limit));
  } else if (request->has_watch_job()) {
    v1::WatchJob* ask = request->mutable_watch_job();
    ask->set_timeout_s(std::min(ask->timeout_s(), limit));
  }
}

absl::Status WrongReply(const std::string& address) {
  return absl::InternalError(
      absl::StrCat("the scheduler at ", address, " answered with another kind of reply"));
}

}  // namespace

absl::StatusOr<std::unique_ptr<SchedulerAgent>> SchedulerAgent::Connect(
    Network* network, Clock* clock, const std::string& address) {
  ASSIGN_OR_RETURN(std::shared_ptr<Channel> channel, network->Connect(address));
  std::random_device device;
  const uint64_t first_id = (uint64_t{device()} << 32) | device();
  return std::unique_ptr<SchedulerAgent>(new SchedulerAgent(std::move(channel), clock, first_id));
}

absl::StatusOr<v1::ControlReply> SchedulerAgent::TryOnce(const v1::ControlRequest& request,
                                                         absl::Duration timeout) {
  Frame frame;
  *frame.header.mutable_control_request() = request;
  ASSIGN_OR_RETURN(Frame answer, CallAndWait(channel_.get(), std::move(frame), timeout));
  if (!answer.header.has_control_reply() ||
      static_cast<int>(answer.header.control_reply().op_case()) !=
          static_cast<int>(request.op_case())) {
    return WrongReply(address());
  }
  return std::move(*answer.header.mutable_control_reply());
}

absl::StatusOr<v1::ControlReply> SchedulerAgent::Call(v1::ControlRequest request,
                                                      absl::Duration timeout, bool retry) {
  uint64_t id = next_request_id_.fetch_add(1, std::memory_order_relaxed);
  if (id == 0) id = next_request_id_.fetch_add(1, std::memory_order_relaxed);
  request.set_request_id(id);
  const absl::Time deadline = clock_->Now() + timeout;
  Backoff backoff(kFirstBackoff, kLongestBackoff, id);
  while (true) {
    const absl::Duration left = deadline - clock_->Now();
    LimitParking(&request, left);
    absl::StatusOr<v1::ControlReply> reply =
        TryOnce(request, std::max(left, absl::Milliseconds(1)));
    if (reply.ok()) return reply;
    const bool silent = absl::IsUnavailable(reply.status());
    const absl::Duration wait = backoff.Next();
    if (!retry || !silent || clock_->Now() + wait >= deadline) {
      if (!silent && !absl::IsDeadlineExceeded(reply.status())) return reply;
      return Annotate(reply.status(), absl::StrCat("scheduler at ", address()));
    }
    Sleep(clock_, wait);
  }
}

absl::StatusOr<v1::RegisterNodeReply> SchedulerAgent::RegisterNode(const v1::RegisterNode& request,
                                                                   absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_register_node() = request;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_register_node());
}

absl::Status SchedulerAgent::SendHeartbeat(uint64_t node, absl::Duration timeout) {
  v1::ControlRequest call;
  call.mutable_heartbeat()->set_node(node);
  return Call(std::move(call), timeout, false).status();
}

absl::Status SchedulerAgent::NodeExited(const v1::NodeExited& request, absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_node_exited() = request;
  return Call(std::move(call), timeout, true).status();
}

absl::StatusOr<v1::ListNodesReply> SchedulerAgent::ListNodes(absl::Duration timeout) {
  v1::ControlRequest call;
  call.mutable_list_nodes();
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_list_nodes());
}

absl::StatusOr<v1::TableInfo> SchedulerAgent::CreateTable(const v1::CreateTable& request,
                                                          absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_create_table() = request;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_create_table()->mutable_table());
}

absl::StatusOr<uint64_t> SchedulerAgent::SubmitJob(const v1::JobSpec& job, absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_submit_job()->mutable_job() = job;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return reply.submit_job().job();
}

absl::StatusOr<v1::WatchJobReply> SchedulerAgent::WatchJob(const v1::WatchJob& request,
                                                           absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_watch_job() = request;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_watch_job());
}

absl::Status SchedulerAgent::CancelJob(uint64_t job, const std::string& reason,
                                       absl::Duration timeout) {
  v1::ControlRequest call;
  call.mutable_cancel_job()->set_job(job);
  call.mutable_cancel_job()->set_reason(reason);
  return Call(std::move(call), timeout, true).status();
}

absl::StatusOr<v1::NextTaskReply> SchedulerAgent::NextTask(const v1::NextTask& request,
                                                           absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_next_task() = request;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_next_task());
}

absl::StatusOr<v1::LeaseShardReply> SchedulerAgent::LeaseShard(const v1::LeaseShard& request,
                                                               absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_lease_shard() = request;
  ASSIGN_OR_RETURN(v1::ControlReply reply, Call(std::move(call), timeout, true));
  return std::move(*reply.mutable_lease_shard());
}

absl::Status SchedulerAgent::ReportProgress(const v1::ReportProgress& request,
                                            absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_report_progress() = request;
  return Call(std::move(call), timeout, true).status();
}

absl::Status SchedulerAgent::ReportScores(const v1::ReportScores& request, absl::Duration timeout) {
  v1::ControlRequest call;
  *call.mutable_report_scores() = request;
  return Call(std::move(call), timeout, true).status();
}

LeaseKeeper::LeaseKeeper(SchedulerAgent* agent, Clock* clock, uint64_t node, absl::Duration lease,
                         std::function<void(absl::Status)> on_lost)
    : agent_(agent),
      clock_(clock),
      node_(node),
      period_(lease / 3),
      on_lost_(std::move(on_lost)),
      thread_([this] { Run(); }) {}

LeaseKeeper::~LeaseKeeper() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    stop_.NotifyAll();
  }
  thread_.join();
}

void LeaseKeeper::Run() {
  absl::Time next = clock_->Now() + period_;
  while (true) {
    {
      MutexLock lock(&mu_);
      while (!stopping_ && clock_->WaitUntil(&stop_, &mu_, next)) {
      }
      if (stopping_) return;
    }
    const absl::Status status = agent_->SendHeartbeat(node_, period_);
    if (absl::IsNotFound(status)) {
      on_lost_(status);
      return;
    }
    next = std::max(next + period_, clock_->Now());
  }
}

}  // namespace seraph
