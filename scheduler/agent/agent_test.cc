// SPDX-License-Identifier: Apache-2.0
#include "scheduler/agent/agent.h"

#include <deque>
#include <set>
#include <vector>

#include "tests/fakes/fake_clock.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

v1::ControlReply RegisteredAs(uint64_t node) {
  v1::ControlReply reply;
  reply.mutable_register_node()->set_node(node);
  return reply;
}

// Answers from a script, the last entry for ever; remembers what was asked.
class ScriptedScheduler : public FrameHandler {
 public:
  explicit ScriptedScheduler(std::vector<absl::StatusOr<v1::ControlReply>> script)
      : script_(script.begin(), script.end()) {}

  void Handle(Frame request, absl::string_view, Respond respond) override {
    absl::StatusOr<v1::ControlReply> answer = absl::InternalError("the script is empty");
    {
      MutexLock lock(&mu_);
      asked_.push_back(request.header.control_request());
      arrived_.NotifyAll();
      answer = script_.front();
      if (script_.size() > 1) script_.pop_front();
    }
    if (!answer.ok()) return respond(answer.status());
    Frame reply;
    *reply.header.mutable_control_reply() = *answer;
    respond(std::move(reply));
  }

  std::vector<v1::ControlRequest> asked() {
    MutexLock lock(&mu_);
    return asked_;
  }
  // Turns the clock until `count` requests have arrived.
  void TurnUntilAsked(FakeClock* clock, size_t count) {
    while (true) {
      clock->Advance(absl::Milliseconds(100));
      MutexLock lock(&mu_);
      if (asked_.size() >= count) return;
      SystemClock().WaitUntil(&arrived_, &mu_, SystemClock().Now() + absl::Milliseconds(5));
    }
  }

 private:
  Mutex mu_;
  CondVar arrived_;
  std::deque<absl::StatusOr<v1::ControlReply>> script_ ABSL_GUARDED_BY(mu_);
  std::vector<v1::ControlRequest> asked_ ABSL_GUARDED_BY(mu_);
};

class AgentTest : public ::testing::Test {
 protected:
  void Serve(std::vector<absl::StatusOr<v1::ControlReply>> script) {
    scheduler_ = std::make_unique<ScriptedScheduler>(std::move(script));
    listener_ = network_->Listen("scheduler", scheduler_.get()).value();
    agent_ = SchedulerAgent::Connect(network_.get(), &system_clock_, "scheduler").value();
  }

  SystemClock system_clock_;
  FakeClock clock_;
  std::unique_ptr<Network> network_ = NewInProcessNetwork(&system_clock_);
  std::unique_ptr<ScriptedScheduler> scheduler_;
  std::unique_ptr<Listener> listener_;
  std::unique_ptr<SchedulerAgent> agent_;
};

TEST_F(AgentTest, RepeatsUnderOneRequestIdWhileTheSchedulerIsUnavailable) {
  Serve({absl::UnavailableError("away"), absl::UnavailableError("away"), RegisteredAs(7)});
  auto reply = agent_->RegisterNode({}, absl::Seconds(30));
  ASSERT_OK(reply);
  EXPECT_EQ(reply->node(), 7u);
  const std::vector<v1::ControlRequest> asked = scheduler_->asked();
  ASSERT_EQ(asked.size(), 3u);
  EXPECT_NE(asked[0].request_id(), 0u);
  EXPECT_EQ(asked[0].request_id(), asked[2].request_id());
  ASSERT_OK(agent_->RegisterNode({}, absl::Seconds(30)));
  EXPECT_NE(scheduler_->asked().back().request_id(), asked[0].request_id());
}

TEST_F(AgentTest, GivesUpAtTheDeadlineNamingTheAddress) {
  auto agent = SchedulerAgent::Connect(network_.get(), &system_clock_, "nobody").value();
  EXPECT_THAT(agent->ListNodes(absl::Milliseconds(50)),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("scheduler at nobody")));
}

TEST_F(AgentTest, OtherErrorsComeBackAsTheyAre) {
  Serve({absl::AlreadyExistsError("worker 1 is there")});
  EXPECT_THAT(agent_->RegisterNode({}, absl::Seconds(30)),
              StatusIs(absl::StatusCode::kAlreadyExists, "worker 1 is there"));
  EXPECT_EQ(scheduler_->asked().size(), 1u);
}

TEST_F(AgentTest, AReplyOfAnotherKindIsAnError) {
  Serve({RegisteredAs(1)});
  EXPECT_THAT(agent_->ListNodes(absl::Seconds(30)),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("another kind")));
}

TEST_F(AgentTest, ParkingFitsIntoTheCall) {
  v1::ControlReply reply;
  reply.mutable_watch_job();
  Serve({reply});
  v1::WatchJob watch;
  watch.set_timeout_s(60);
  ASSERT_OK(agent_->WatchJob(watch, absl::Seconds(4)));
  EXPECT_LE(scheduler_->asked()[0].watch_job().timeout_s(), 3.0);
}

TEST_F(AgentTest, TheKeeperBeatsEveryThirdOfTheLease) {
  v1::ControlReply reply;
  reply.mutable_heartbeat();
  Serve({reply});
  LeaseKeeper keeper(agent_.get(), &clock_, 5, absl::Seconds(3),
                     [](absl::Status) { ADD_FAILURE() << "the lease is kept"; });
  scheduler_->TurnUntilAsked(&clock_, 3);
  EXPECT_GE(clock_.Now() - absl::UnixEpoch(), absl::Seconds(3));
  EXPECT_EQ(scheduler_->asked()[0].heartbeat().node(), 5u);
}

TEST_F(AgentTest, TheKeeperReportsALostLeaseOnceAndASilentSchedulerNever) {
  Serve({absl::UnavailableError("away"), absl::NotFoundError("node 5 is dead")});
  std::vector<absl::Status> lost;
  Mutex mu;
  CondVar told;
  {
    LeaseKeeper keeper(agent_.get(), &clock_, 5, absl::Seconds(3), [&](absl::Status status) {
      MutexLock lock(&mu);
      lost.push_back(std::move(status));
      told.NotifyAll();
    });
    scheduler_->TurnUntilAsked(&clock_, 2);
    MutexLock lock(&mu);
    const absl::Time deadline = system_clock_.Now() + absl::Seconds(30);
    while (lost.empty()) ASSERT_TRUE(system_clock_.WaitUntil(&told, &mu, deadline));
    clock_.Advance(absl::Seconds(30));
  }
  ASSERT_EQ(lost.size(), 1u);
  EXPECT_THAT(lost[0], StatusIs(absl::StatusCode::kNotFound, "node 5 is dead"));
  EXPECT_EQ(scheduler_->asked().size(), 2u);
}

}  // namespace
}  // namespace seraph
