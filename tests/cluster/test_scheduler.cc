// SPDX-License-Identifier: Apache-2.0
#include "tests/cluster/test_scheduler.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/job/resolve.h"
#include "gtest/gtest.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

constexpr absl::Duration kDeadline = absl::Minutes(1);

void Check(const absl::Status& status) {
  if (status.ok()) return;
  std::cerr << "test scheduler: " << status << std::endl;
  std::abort();
}

template <typename T>
T OrDie(absl::StatusOr<T> result) {
  Check(result.status());
  return *std::move(result);
}

}  // namespace

TestScheduler::TestScheduler(ControlService::Options options) : options_(std::move(options)) {
  if (options_.clock == nullptr) {
    options_.clock = &system_clock_;
    options_.lease = absl::Minutes(10);
  }
  {
    MutexLock lock(&mu_);
    service_ = std::make_shared<ControlService>(options_);
  }
  network_ = NewInProcessNetwork(options_.clock);
  listener_ = OrDie(network_->Listen("scheduler", this));
  agent_ = OrDie(SchedulerAgent::Connect(network_.get(), options_.clock, "scheduler"));
}

TestScheduler::~TestScheduler() {
  service()->Shutdown();
  listener_->Shutdown(absl::Seconds(1));
}

void TestScheduler::Handle(Frame request, absl::string_view peer, Respond respond) {
  service()->Handle(std::move(request), peer,
                    [this, respond = std::move(respond)](absl::StatusOr<Frame> reply) mutable {
                      {
                        MutexLock lock(&mu_);
                        ++answers_[reply.status().code()];
                        answered_.NotifyAll();
                      }
                      respond(std::move(reply));
                    });
}

void TestScheduler::WaitForAnswers(absl::StatusCode code, int count) {
  const absl::Time deadline = system_clock_.Now() + kDeadline;
  MutexLock lock(&mu_);
  while (answers_[code] < count) {
    if (!system_clock_.WaitUntil(&answered_, &mu_, deadline)) {
      Check(absl::DeadlineExceededError(
          absl::StrCat("too few answers ", absl::StatusCodeToString(code))));
    }
  }
}

void TestScheduler::Restart() {
  auto fresh = std::make_shared<ControlService>(options_);
  std::shared_ptr<ControlService> old;
  {
    MutexLock lock(&mu_);
    old = std::exchange(service_, std::move(fresh));
  }
  old->Shutdown();
}

uint64_t TestScheduler::Register(v1::NodeKind kind, const std::string& name) {
  v1::RegisterNode node;
  node.set_kind(kind);
  node.set_name(name);
  node.set_address(kind == v1::SERVER ? name : "");
  node.set_slots(1);
  return OrDie(agent_->RegisterNode(node, kDeadline)).node();
}

uint64_t TestScheduler::Submit(const v1::JobSpec& job) {
  return OrDie(agent_->SubmitJob(job, kDeadline));
}

template <typename Wanted>
v1::JobEvent TestScheduler::WaitForEvent(uint64_t job, Wanted wanted) {
  v1::WatchJob watch;
  watch.set_job(job);
  watch.set_timeout_s(60);
  while (true) {
    const v1::WatchJobReply reply = OrDie(agent_->WatchJob(watch, kDeadline));
    if (reply.events().empty()) Check(absl::DeadlineExceededError("the job goes on"));
    for (const v1::JobEvent& event : reply.events()) {
      watch.set_after(event.number());
      if (wanted(event)) return event;
    }
  }
}

v1::JobDone TestScheduler::Wait(uint64_t job) {
  return WaitForEvent(job, [](const v1::JobEvent& event) { return event.has_done(); }).done();
}

void TestScheduler::WaitForStart(uint64_t job) {
  WaitForEvent(job, [](const v1::JobEvent& event) { return event.has_started(); });
}

v1::JobSpec SmallJob(const std::string& train, uint32_t workers) {
  v1::JobSpec job;
  job.mutable_model()->set_type("lr");
  job.mutable_data()->add_train()->set_path(train);
  job.mutable_data()->set_format("dummy");
  job.mutable_cluster()->set_servers(1);
  job.mutable_cluster()->set_workers(workers);
  Check(ResolveJob(1, &job));
  return job;
}

std::string WriteRows(const std::string& name, int rows) {
  const std::string path = absl::StrCat(::testing::TempDir(), "/", name);
  std::ofstream out(path);
  for (int i = 0; i < rows; ++i) out << i % 2 << " " << i << "\n";
  return path;
}

}  // namespace seraph
