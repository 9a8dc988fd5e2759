// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/local_cluster.h"

#include <unistd.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "scheduler/scheduler_app.h"
#include "server/server_app.h"
#include "transport/in_process_network.h"
#include "worker/worker_app.h"

namespace seraph {
namespace {

// Apps tell of their end in no other way than health(), which is asked this often.
constexpr absl::Duration kHealthPeriod = absl::Milliseconds(50);

class LocalCluster : public Cluster {
 public:
  explicit LocalCluster(const LocalClusterOptions& options)
      : options_(options), network_(NewInProcessNetwork(options.clock)) {}
  ~LocalCluster() override { Shutdown(absl::Seconds(1)); }

  absl::Status Start() {
    SchedulerApp::Options scheduler;
    scheduler.network = network_.get();
    scheduler.clock = options_.clock;
    ASSIGN_OR_RETURN(scheduler_, SchedulerApp::Start(scheduler));
    for (int i = 0; i < options_.size.servers; ++i) RETURN_IF_ERROR(StartServer(i));
    for (int i = 0; i < options_.size.workers; ++i) RETURN_IF_ERROR(StartWorker(i));
    return absl::OkStatus();
  }

  Network* network() override { return network_.get(); }
  const std::string& scheduler() const override { return scheduler_->address(); }

  std::vector<int> process_ids() const override { return {::getpid()}; }

  absl::Status Health() const override {
    for (size_t i = 0; i < servers_.size(); ++i) {
      RETURN_IF_ERROR(Lost("server", i, servers_[i]->health()));
    }
    for (size_t i = 0; i < workers_.size(); ++i) {
      RETURN_IF_ERROR(Lost("worker", i, workers_[i]->health()));
    }
    return absl::OkStatus();
  }

  absl::Status AwaitTrouble(absl::Time deadline) override {
    Mutex mu;
    CondVar never;
    MutexLock lock(&mu);
    while (Health().ok() && options_.clock->Now() < deadline) {
      options_.clock->WaitUntil(&never, &mu,
                                std::min(deadline, options_.clock->Now() + kHealthPeriod));
    }
    return Health();
  }

  void Shutdown(absl::Duration grace) override {
    for (auto& worker : workers_) worker->Shutdown(grace);
    for (auto& server : servers_) server->Shutdown(grace);
    if (scheduler_ != nullptr) scheduler_->Shutdown(grace);
  }

 private:
  absl::Status StartServer(int number) {
    ServerApp::Options server;
    server.network = network_.get();
    server.clock = options_.clock;
    server.file_system = options_.file_system;
    server.scheduler = scheduler_->address();
    server.name = absl::StrCat("server ", number);
    server.executors = options_.executors;
    absl::StatusOr<std::unique_ptr<ServerApp>> app = ServerApp::Start(server);
    if (!app.ok()) return Annotate(app.status(), "start " + server.name);
    servers_.push_back(*std::move(app));
    return absl::OkStatus();
  }

  absl::Status StartWorker(int number) {
    WorkerApp::Options worker;
    worker.network = network_.get();
    worker.clock = options_.clock;
    worker.file_system = options_.file_system;
    worker.scheduler = scheduler_->address();
    worker.name = absl::StrCat("worker ", number);
    absl::StatusOr<std::unique_ptr<WorkerApp>> app = WorkerApp::Start(worker);
    if (!app.ok()) return Annotate(app.status(), "start " + worker.name);
    workers_.push_back(*std::move(app));
    return absl::OkStatus();
  }

  static absl::Status Lost(absl::string_view kind, size_t number, const absl::Status& health) {
    if (health.ok()) return health;
    return absl::AbortedError(absl::StrCat(kind, " ", number, " ended: ", health.message()));
  }

  const LocalClusterOptions options_;
  // Destroyed from the last to the first: who calls before whom is called.
  const std::unique_ptr<Network> network_;
  std::unique_ptr<SchedulerApp> scheduler_;
  std::vector<std::unique_ptr<ServerApp>> servers_;
  std::vector<std::unique_ptr<WorkerApp>> workers_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Cluster>> StartLocalCluster(const LocalClusterOptions& options) {
  auto cluster = std::make_unique<LocalCluster>(options);
  RETURN_IF_ERROR(cluster->Start());
  return std::unique_ptr<Cluster>(std::move(cluster));
}

}  // namespace seraph
