// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/process_cluster.h"

#include <signal.h>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/cli/cluster/child_process.h"
#include "common/mutex.h"
#include "common/process/signal_text.h"
#include "common/status_macros.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "transport/grpc_network.h"

namespace seraph {
namespace {

constexpr char kAnyPort[] = "127.0.0.1:0";
constexpr absl::Duration kLook = absl::Milliseconds(50);
constexpr absl::Duration kReportTimeout = absl::Seconds(2);
constexpr absl::Duration kKillWait =
    absl::Seconds(5);  // SIGKILL works at once, unless the disk hangs.

// The address of a ready line: "seraph_server server 0 ready at 127.0.0.1:41234 (node 3)".
absl::StatusOr<std::string> AddressOf(const std::string& line) {
  constexpr absl::string_view kMark = " ready at ";
  const size_t at = line.rfind(std::string(kMark));
  if (at == std::string::npos) {
    return absl::InternalError(absl::StrCat("no address in the scheduler's line \"", line, "\""));
  }
  const std::string rest = line.substr(at + kMark.size());
  return rest.substr(0, rest.find(' '));
}

class ProcessCluster : public Cluster {
 public:
  explicit ProcessCluster(const ProcessClusterOptions& options)
      : options_(options), network_(NewGrpcNetwork()) {}
  ~ProcessCluster() override {
    Shutdown(absl::Seconds(1));
    // Ends the children's threads, which call back into this object, before its members go.
    workers_.clear();
    servers_.clear();
    scheduler_process_.reset();
  }

  absl::Status Start();

  Network* network() override { return network_.get(); }
  const std::string& scheduler() const override { return scheduler_; }

  std::vector<int> process_ids() const override {
    std::vector<int> ids;
    for (const auto& worker : workers_) ids.push_back(worker->pid());
    return ids;
  }

  absl::Status Health() const override {
    MutexLock lock(&mu_);
    return trouble_;
  }

  absl::Status AwaitTrouble(absl::Time deadline) override {
    MutexLock lock(&mu_);
    bool in_time = true;
    while (trouble_.ok() && in_time) {
      in_time = options_.clock->WaitUntil(&changed_, &mu_, deadline);
    }
    return trouble_;
  }

  void Shutdown(absl::Duration grace) override {
    {
      MutexLock lock(&mu_);
      stopping_ = true;
    }
    End(workers_, grace);
    End(servers_, grace);
    if (scheduler_process_ != nullptr) End({&scheduler_process_, 1}, grace);
  }

 private:
  using Children = absl::Span<const std::unique_ptr<ChildProcess>>;

  absl::StatusOr<std::unique_ptr<ChildProcess>> StartChild(v1::NodeKind kind,
                                                           const std::string& name,
                                                           const std::string& program,
                                                           std::vector<std::string> arguments);
  absl::Status StartScheduler(absl::Time deadline);
  absl::Status StartNodes(absl::Time deadline);
  void OnExit(v1::NodeKind kind, const ChildProcess& child);
  void End(Children children, absl::Duration grace);

  absl::StatusOr<std::string> ReadyLineOf(ChildProcess* child, absl::Time deadline);

  const ProcessClusterOptions options_;
  const std::unique_ptr<Network> network_;
  std::string scheduler_;
  std::unique_ptr<SchedulerAgent> agent_;  // Set before the first server or worker starts.
  mutable Mutex mu_;
  CondVar changed_;
  absl::Status trouble_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::unique_ptr<ChildProcess> scheduler_process_;
  std::vector<std::unique_ptr<ChildProcess>> servers_;
  std::vector<std::unique_ptr<ChildProcess>> workers_;
};

absl::Status ProcessCluster::Start() {
  const absl::Time deadline = options_.clock->Now() + options_.start_deadline;
  RETURN_IF_ERROR(StartScheduler(deadline));
  return StartNodes(deadline);
}

absl::StatusOr<std::unique_ptr<ChildProcess>> ProcessCluster::StartChild(
    v1::NodeKind kind, const std::string& name, const std::string& program,
    std::vector<std::string> arguments) {
  ChildProcess::Options child;
  child.name = name;
  child.program = program;
  child.arguments = std::move(arguments);
  child.clock = options_.clock;
  child.on_exit = [this, kind](const ChildProcess& ended) { OnExit(kind, ended); };
  return ChildProcess::Start(std::move(child));
}

absl::Status ProcessCluster::StartScheduler(absl::Time deadline) {
  ASSIGN_OR_RETURN(scheduler_process_,
                   StartChild(v1::NODE_KIND_UNSPECIFIED, "scheduler", options_.daemons.scheduler,
                              {absl::StrCat("--listen=", kAnyPort)}));
  ASSIGN_OR_RETURN(const std::string line, ReadyLineOf(scheduler_process_.get(), deadline));
  ASSIGN_OR_RETURN(scheduler_, AddressOf(line));
  ASSIGN_OR_RETURN(agent_, SchedulerAgent::Connect(network_.get(), options_.clock, scheduler_));
  return absl::OkStatus();
}

absl::Status ProcessCluster::StartNodes(absl::Time deadline) {
  const std::string scheduler_flag = absl::StrCat("--scheduler=", scheduler_);
  for (int i = 0; i < options_.size.servers; ++i) {
    const std::string name = absl::StrCat("server ", i);
    ASSIGN_OR_RETURN(servers_.emplace_back(),
                     StartChild(v1::SERVER, name, options_.daemons.server,
                                {scheduler_flag, absl::StrCat("--listen=", kAnyPort),
                                 absl::StrCat("--name=", name)}));
  }
  for (int i = 0; i < options_.size.workers; ++i) {
    const std::string name = absl::StrCat("worker ", i);
    ASSIGN_OR_RETURN(workers_.emplace_back(),
                     StartChild(v1::WORKER, name, options_.daemons.worker,
                                {scheduler_flag, "--slots=cpu:1", absl::StrCat("--name=", name)}));
  }
  for (auto& server : servers_) RETURN_IF_ERROR(ReadyLineOf(server.get(), deadline).status());
  for (auto& worker : workers_) RETURN_IF_ERROR(ReadyLineOf(worker.get(), deadline).status());
  return absl::OkStatus();
}

// Looks up now and then: another child's end or a signal ends the start at once.
absl::StatusOr<std::string> ProcessCluster::ReadyLineOf(ChildProcess* child, absl::Time deadline) {
  while (true) {
    const absl::Time look = std::min(deadline, options_.clock->Now() + kLook);
    absl::StatusOr<std::string> line = child->AwaitFirstLine(look);
    if (line.ok()) return line;
    RETURN_IF_ERROR(Health());
    // A child that ended while it started is a failure of the work, not an address out of reach.
    if (absl::IsUnavailable(line.status())) return absl::AbortedError(line.status().message());
    if (const std::optional<int> signal = options_.interrupted(); signal.has_value()) {
      return absl::CancelledError(SignalText(*signal));
    }
    if (!absl::IsDeadlineExceeded(line.status()) || look == deadline) return line;
  }
}

void ProcessCluster::OnExit(v1::NodeKind kind, const ChildProcess& child) {
  {
    MutexLock lock(&mu_);
    if (stopping_) return;
    if (trouble_.ok()) trouble_ = absl::AbortedError(child.DescribeExit());
    changed_.NotifyAll();
  }
  if (kind == v1::NODE_KIND_UNSPECIFIED) return;  // The scheduler itself: nobody to tell.
  v1::NodeExited exited;
  exited.set_kind(kind);
  exited.set_name(child.name());
  exited.set_reason(child.exited()->Describe());
  // An error changes nothing: then the scheduler is gone too, or finds out by the lease.
  (void)agent_->NodeExited(exited, kReportTimeout);
}

void ProcessCluster::End(Children children, absl::Duration grace) {
  const absl::Time deadline = options_.clock->Now() + grace;
  for (const auto& child : children) {
    if (child != nullptr) child->Signal(SIGTERM);
  }
  for (const auto& child : children) {
    if (child == nullptr || child->AwaitExit(deadline)) continue;
    child->Signal(SIGKILL);
    child->AwaitExit(options_.clock->Now() + kKillWait);
  }
}

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> StartProcessCluster(const ProcessClusterOptions& options) {
  auto cluster = std::make_unique<ProcessCluster>(options);
  RETURN_IF_ERROR(cluster->Start());
  return std::unique_ptr<Cluster>(std::move(cluster));
}

}  // namespace seraph
