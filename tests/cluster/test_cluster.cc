// SPDX-License-Identifier: Apache-2.0
#include "tests/cluster/test_cluster.h"

#include <atomic>
#include <cstring>
#include <iostream>

#include "absl/strings/str_cat.h"
#include "client/cli/job/job_file.h"
#include "client/cli/job/resolve.h"
#include "common/status_macros.h"
#include "gtest/gtest.h"
#include "server/checkpoint/model_folder.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

constexpr absl::Duration kCallDeadline = absl::Seconds(10);
constexpr absl::Duration kJobDeadline = absl::Minutes(5);

template <typename T>
T OrDie(absl::StatusOr<T> result, const std::string& what) {
  if (!result.ok()) {
    std::cerr << what << ": " << result.status() << std::endl;
    std::abort();
  }
  return *std::move(result);
}

v1::JobSpec Resolved(v1::JobSpec job) {
  const absl::Status resolved = ResolveJob(/*cores=*/2, &job);
  if (!resolved.ok()) {
    std::cerr << "resolve the job: " << resolved << std::endl;
    std::abort();
  }
  return job;
}

}  // namespace

TestCluster::TestCluster(const Options& options)
    : clock_(options.clock != nullptr ? options.clock : &system_clock_),
      own_network_(options.network != nullptr ? nullptr : NewInProcessNetwork(clock_)),
      network_(options.network != nullptr ? options.network : own_network_.get()),
      file_system_(NewPosixFileSystem()) {
  SchedulerApp::Options scheduler;
  scheduler.network = network_;
  scheduler.clock = clock_;
  scheduler.lease = options.lease;
  scheduler_ = OrDie(SchedulerApp::Start(scheduler), "start the scheduler");
  for (int i = 0; i < options.servers; ++i) {
    ServerApp::Options server;
    server.network = network_;
    server.clock = clock_;
    server.file_system = file_system_.get();
    server.scheduler = scheduler_->address();
    server.name = absl::StrCat("server ", i);
    server.executors = options.executors;
    server.memory_bytes = options.memory_bytes;
    servers_.push_back(OrDie(ServerApp::Start(server), server.name));
  }
  for (int i = 0; i < options.workers; ++i) {
    WorkerApp::Options worker;
    worker.network = network_;
    worker.clock = clock_;
    worker.file_system = file_system_.get();
    worker.scheduler = scheduler_->address();
    worker.name = absl::StrCat("worker ", i);
    workers_.push_back(OrDie(WorkerApp::Start(worker), worker.name));
  }
  agent_ = OrDie(SchedulerAgent::Connect(network_, clock_, scheduler_->address()),
                 "connect to the scheduler");
}

absl::StatusOr<uint64_t> TestCluster::Submit(const v1::JobSpec& job) {
  return agent_->SubmitJob(job, kCallDeadline);
}

absl::StatusOr<v1::JobDone> TestCluster::Wait(uint64_t job, std::vector<v1::JobEvent>* events) {
  v1::WatchJob watch;
  watch.set_job(job);
  watch.set_timeout_s(1);
  const absl::Time deadline = system_clock_.Now() + kJobDeadline;
  while (system_clock_.Now() < deadline) {
    ASSIGN_OR_RETURN(const v1::WatchJobReply reply, agent_->WatchJob(watch, kCallDeadline));
    for (const v1::JobEvent& event : reply.events()) {
      watch.set_after(event.number());
      if (events != nullptr) events->push_back(event);
      if (event.has_done()) return event.done();
    }
  }
  return absl::DeadlineExceededError(absl::StrCat("job ", job, " did not end"));
}

absl::StatusOr<v1::JobDone> TestCluster::Run(const v1::JobSpec& job,
                                             std::vector<v1::JobEvent>* events) {
  ASSIGN_OR_RETURN(const uint64_t id, Submit(job));
  return Wait(id, events);
}

std::unique_ptr<Client> TestCluster::Connect(const std::string& group, uint32_t rank,
                                             uint32_t workers, absl::Duration deadline) {
  Client::Options options;
  options.network = network_;
  options.clock = clock_;
  options.scheduler = scheduler_->address();
  options.group = group;
  options.rank = rank;
  options.workers = workers;
  options.deadline = deadline;
  return OrDie(Client::Connect(options), "connect a client");
}

v1::JobSpec ExampleJob(const std::string& name, std::vector<std::string> overrides) {
  overrides.push_back(absl::StrCat("output.model=", FreshFolder()));
  return Resolved(
      OrDie(ReadJobFile(absl::StrCat("examples/", name, ".yaml"), overrides), "read the job"));
}

v1::JobSpec JobOf(const std::string& yaml) {
  return Resolved(
      OrDie(ParseJob(yaml, "job.yaml", "/", {absl::StrCat("output.model=", FreshFolder())}),
            "read the job"));
}

v1::JobDone Trained(const v1::JobSpec& job, std::vector<v1::JobEvent>* events) {
  TestCluster cluster({.servers = static_cast<int>(job.cluster().servers()),
                       .workers = static_cast<int>(job.cluster().workers())});
  const absl::StatusOr<v1::JobDone> done = cluster.Run(job, events);
  EXPECT_TRUE(done.ok()) << done.status();
  if (!done.ok()) return v1::JobDone();
  EXPECT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
  return *done;
}

std::string FreshFolder() {
  static std::atomic<int> count{0};
  return absl::StrCat(::testing::TempDir(),
                      ::testing::UnitTest::GetInstance()->current_test_info()->name(), "-",
                      count++);
}

ModelBits ReadModelBits(const std::string& folder) {
  const std::unique_ptr<FileSystem> fs = NewPosixFileSystem();
  const v1::ModelManifest manifest = OrDie(ReadManifest(*fs, folder), "read the manifest");
  ModelBits bits;
  const absl::Status visited = VisitPartitions(
      *fs, folder, manifest,
      [&bits](const v1::SavedTable& table, PartitionContents contents) -> absl::Status {
        const size_t dim = contents.header.dim;
        const size_t stride = dim + contents.header.state_width;
        for (size_t i = 0; i < contents.keys.size(); ++i) {
          std::vector<uint32_t>& row = bits[{table.spec().name(), contents.keys[i]}];
          row.resize(dim);
          std::memcpy(row.data(), &contents.rows[i * stride], dim * sizeof(uint32_t));
        }
        return absl::OkStatus();
      });
  if (!visited.ok()) {
    std::cerr << "read the model: " << visited << std::endl;
    std::abort();
  }
  return bits;
}

}  // namespace seraph
