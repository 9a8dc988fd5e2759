// SPDX-License-Identifier: Apache-2.0
#include "server/server_app.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/host_port.h"
#include "common/mutex.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "server/core/server_core.h"
#include "server/service/data_service.h"
#include "server/table_files/table_files.h"

namespace seraph {
namespace {

constexpr int kMaxExecutors = 256;
constexpr int64_t kMinMemoryBytes = 1 << 20;
// A scheduler that does not answer holds a leaving server up no longer than this.
constexpr absl::Duration kGoodbye = absl::Seconds(1);

absl::Status WrongOption(absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("server: ", what));
}

absl::Status Validate(const ServerApp::Options& options) {
  if (options.network == nullptr || options.clock == nullptr || options.file_system == nullptr) {
    return WrongOption("network, clock and file_system are required");
  }
  if (options.scheduler.empty()) return WrongOption("the scheduler's address is required");
  if (options.executors < 1 || options.executors > kMaxExecutors) {
    return WrongOption(
        absl::StrCat("executors ", options.executors, " is not in 1..", kMaxExecutors));
  }
  if (options.memory_bytes < kMinMemoryBytes) {
    return WrongOption(absl::StrCat("memory of ", options.memory_bytes, " bytes is below 1 MiB"));
  }
  return absl::OkStatus();
}

// What others connect to: `advertise`, with the port really bound where it names a host alone.
absl::StatusOr<std::string> PublicAddress(const std::string& advertise, const std::string& bound) {
  if (advertise.empty()) return bound;
  ASSIGN_OR_RETURN(const HostPort listening, ParseHostPort(bound));
  ASSIGN_OR_RETURN(const HostPort address, ParseHostPort(advertise, listening.port));
  return address.ToString();
}

class ServerAppImpl : public ServerApp {
 public:
  explicit ServerAppImpl(const Options& options)
      : options_(options),
        core_({.clock = options.clock,
               .executors = options.executors,
               .memory_bytes = options.memory_bytes}),
        files_(std::make_unique<TableFiles>(&core_, options.file_system)),
        service_(&core_, files_.get()) {}
  ~ServerAppImpl() override { Shutdown(absl::ZeroDuration()); }

  absl::Status Begin();

  const std::string& address() const override { return address_; }
  uint64_t node() const override { return node_; }
  void Shutdown(absl::Duration grace) override;
  absl::Status health() const override {
    MutexLock lock(&mu_);
    return health_;
  }

 private:
  void DeclaredDead(const absl::Status& reason);

  const Options options_;
  std::unique_ptr<SchedulerAgent> agent_;
  ServerCore core_;
  std::unique_ptr<TableFiles> files_;
  DataService service_;
  std::string address_;
  uint64_t node_ = 0;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<LeaseKeeper> lease_;
  bool stopped_ = false;
  mutable Mutex mu_;
  absl::Status health_ ABSL_GUARDED_BY(mu_);
};

absl::Status ServerAppImpl::Begin() {
  ASSIGN_OR_RETURN(agent_,
                   SchedulerAgent::Connect(options_.network, options_.clock, options_.scheduler));
  ASSIGN_OR_RETURN(listener_, options_.network->Listen(options_.listen, &service_));
  ASSIGN_OR_RETURN(address_, PublicAddress(options_.advertise, listener_->address()));
  v1::RegisterNode request;
  request.set_kind(v1::SERVER);
  request.set_name(options_.name);
  request.set_address(address_);
  request.set_memory_bytes(static_cast<uint64_t>(options_.memory_bytes));
  request.set_version(std::string(kVersion));
  const absl::StatusOr<v1::RegisterNodeReply> reply =
      agent_->RegisterNode(request, options_.register_deadline);
  if (!reply.ok()) return Annotate(reply.status(), "register with the scheduler");
  node_ = reply->node();
  service_.set_node(node_);
  lease_ = std::make_unique<LeaseKeeper>(agent_.get(), options_.clock, node_,
                                         absl::Seconds(reply->lease_s()),
                                         [this](absl::Status reason) { DeclaredDead(reason); });
  return absl::OkStatus();
}

// Another server may own its partitions by now, so it answers nobody any more.
void ServerAppImpl::DeclaredDead(const absl::Status& reason) {
  const absl::Status dead = absl::UnavailableError(absl::StrCat(
      "server ", options_.name, " was declared dead by the scheduler: ", reason.message()));
  {
    MutexLock lock(&mu_);
    health_ = dead;
  }
  core_.Shutdown(dead);
}

void ServerAppImpl::Shutdown(absl::Duration grace) {
  if (std::exchange(stopped_, true)) return;
  lease_.reset();  // From here on nobody else shuts the core down.
  if (node_ != 0 && health().ok()) {
    v1::NodeExited left;
    left.set_node(node_);
    left.set_kind(v1::SERVER);
    left.set_name(options_.name);
    left.set_reason("left");
    left.set_clean(true);
    // The lease ends anyway where this is not heard.
    agent_->NodeExited(left, std::clamp(grace, absl::Milliseconds(100), kGoodbye)).IgnoreError();
  }
  core_.Shutdown(absl::UnavailableError(absl::StrCat("server ", options_.name, " is leaving")));
  if (listener_ != nullptr) listener_->Shutdown(grace);
  files_.reset();  // After the last request that could ask for it.
}

}  // namespace

absl::StatusOr<std::unique_ptr<ServerApp>> ServerApp::Start(const Options& options) {
  RETURN_IF_ERROR(Validate(options));
  auto app = std::make_unique<ServerAppImpl>(options);
  RETURN_IF_ERROR(app->Begin());
  return app;
}

}  // namespace seraph
