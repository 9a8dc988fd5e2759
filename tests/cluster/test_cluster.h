// SPDX-License-Identifier: Apache-2.0
// A whole cluster in one process for a test: scheduler, servers and workers over an in-process
// network.
#ifndef SERAPH_TESTS_CLUSTER_TEST_CLUSTER_H_
#define SERAPH_TESTS_CLUSTER_TEST_CLUSTER_H_

#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "client/client.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"
#include "scheduler/agent/agent.h"
#include "scheduler/scheduler_app.h"
#include "server/server_app.h"
#include "transport/channel.h"
#include "worker/worker_app.h"

namespace seraph {

class TestCluster {
 public:
  struct Options {
    int servers = 1;
    int workers = 0;
    int executors = 1;                        // Of each server.
    int64_t memory_bytes = int64_t{1} << 30;  // Of each server.
    // Tests of leases turn a clock by hand and shorten it; on a loaded machine nothing else should
    // look dead.
    absl::Duration lease = absl::Minutes(1);
    Clock* clock = nullptr;      // The system's when null. Outlives the cluster, like the network.
    Network* network = nullptr;  // An in-process network of its own when null.
  };
  // Aborts the test program when the cluster does not come up.
  explicit TestCluster(const Options& options);

  // Submits a resolved job and waits for its end. Events go to `events` where it is given.
  absl::StatusOr<v1::JobDone> Run(const v1::JobSpec& job,
                                  std::vector<v1::JobEvent>* events = nullptr);
  absl::StatusOr<uint64_t> Submit(const v1::JobSpec& job);
  absl::StatusOr<v1::JobDone> Wait(uint64_t job, std::vector<v1::JobEvent>* events = nullptr);

  std::unique_ptr<Client> Connect(const std::string& group, uint32_t rank = 0, uint32_t workers = 1,
                                  absl::Duration deadline = absl::Seconds(60));

  SchedulerAgent* agent() { return agent_.get(); }
  Network* network() { return network_; }
  FileSystem* file_system() { return file_system_.get(); }
  std::vector<std::unique_ptr<ServerApp>>& servers() { return servers_; }
  std::vector<std::unique_ptr<WorkerApp>>& workers() { return workers_; }

 private:
  SystemClock system_clock_;
  Clock* const clock_;
  std::unique_ptr<Network> own_network_;
  Network* const network_;
  std::unique_ptr<FileSystem> file_system_;
  std::unique_ptr<SchedulerApp> scheduler_;
  std::vector<std::unique_ptr<ServerApp>> servers_;
  std::vector<std::unique_ptr<WorkerApp>> workers_;
  std::unique_ptr<SchedulerAgent> agent_;
};

// A job file of examples/ with overrides, resolved; its model goes to a fresh folder of the test.
v1::JobSpec ExampleJob(const std::string& name, std::vector<std::string> overrides);

// The same for the text of a job file.
v1::JobSpec JobOf(const std::string& yaml);

// Runs the job in a cluster of the size that it asks for and expects it to succeed; empty if it
// does not.
v1::JobDone Trained(const v1::JobSpec& job, std::vector<v1::JobEvent>* events = nullptr);

// A folder that did not exist before, below the test's own.
std::string FreshFolder();

// Rows of a saved model, as bits: table and key to the weights. Aborts when the model cannot be
// read.
using ModelBits = std::map<std::pair<std::string, uint64_t>, std::vector<uint32_t>>;
ModelBits ReadModelBits(const std::string& folder);

}  // namespace seraph

#endif  // SERAPH_TESTS_CLUSTER_TEST_CLUSTER_H_
