// SPDX-License-Identifier: Apache-2.0
// A scheduler alone, for tests of those who talk to it: nodes register by hand, and the test sees
// how requests are answered.
#ifndef SERAPH_TESTS_CLUSTER_TEST_SCHEDULER_H_
#define SERAPH_TESTS_CLUSTER_TEST_SCHEDULER_H_

#include <map>
#include <memory>
#include <string>

#include "common/clock.h"
#include "common/mutex.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"
#include "scheduler/agent/agent.h"
#include "scheduler/service/control_service.h"
#include "transport/channel.h"

namespace seraph {

// Aborts the test program where it cannot do what is asked. Thread-safe.
class TestScheduler : private FrameHandler {
 public:
  // Options as of ControlService; the clock is the machine's when null.
  explicit TestScheduler(ControlService::Options options = {});
  ~TestScheduler() override;

  Network* network() { return network_.get(); }
  Clock* clock() { return options_.clock; }
  SchedulerAgent* agent() { return agent_.get(); }
  const std::string& address() const { return listener_->address(); }

  // A node of one slot that nobody keeps alive; leases last for minutes by default.
  uint64_t Register(v1::NodeKind kind, const std::string& name);
  uint64_t Submit(const v1::JobSpec& job);
  // Waits for the job's end.
  v1::JobDone Wait(uint64_t job);

  // Waits until `count` requests in all have been answered with `code`.
  void WaitForAnswers(absl::StatusCode code, int count);
  // Waits until the job's data is read.
  void WaitForStart(uint64_t job);

  // Another scheduler answers at the address, which knows of nothing.
  void Restart();

 private:
  template <typename Wanted>
  v1::JobEvent WaitForEvent(uint64_t job, Wanted wanted);
  void Handle(Frame request, absl::string_view peer, Respond respond) override;
  std::shared_ptr<ControlService> service() {
    MutexLock lock(&mu_);
    return service_;
  }

  SystemClock system_clock_;
  ControlService::Options options_;
  Mutex mu_;
  CondVar answered_;
  std::map<absl::StatusCode, int> answers_ ABSL_GUARDED_BY(mu_);
  std::shared_ptr<ControlService> service_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<Network> network_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<SchedulerAgent> agent_;
};

// A resolved job of logistic regression on files of format dummy; nothing is saved.
v1::JobSpec SmallJob(const std::string& train, uint32_t workers);

// Writes a file of format dummy with `rows` rows into the test's folder; returns its path.
std::string WriteRows(const std::string& name, int rows);

}  // namespace seraph

#endif  // SERAPH_TESTS_CLUSTER_TEST_SCHEDULER_H_
