// SPDX-License-Identifier: Apache-2.0
#include "scheduler/scheduler_app.h"

#include "scheduler/agent/agent.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

class SchedulerAppTest : public ::testing::Test {
 protected:
  SchedulerApp::Options Options(std::string listen) {
    SchedulerApp::Options options;
    options.network = network_.get();
    options.clock = &clock_;
    options.listen = std::move(listen);
    return options;
  }

  SystemClock clock_;
  std::unique_ptr<Network> network_ = NewInProcessNetwork(&clock_);
};

TEST_F(SchedulerAppTest, ServesUntilItIsShutDown) {
  auto app = SchedulerApp::Start(Options(""));
  ASSERT_OK(app);
  auto agent = SchedulerAgent::Connect(network_.get(), &clock_, (*app)->address());
  ASSERT_OK(agent);
  EXPECT_OK((*agent)->ListNodes(absl::Seconds(30)));
  (*app)->Shutdown(absl::Seconds(1));
  (*app)->Shutdown(absl::Seconds(1));
  EXPECT_THAT((*agent)->ListNodes(absl::Milliseconds(20)),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("scheduler at")));
}

TEST_F(SchedulerAppTest, TwoClustersInOneProcessDoNotSeeEachOther) {
  auto one = SchedulerApp::Start(Options("one")).value();
  auto two = SchedulerApp::Start(Options("two")).value();
  auto agent_one = SchedulerAgent::Connect(network_.get(), &clock_, "one").value();
  auto agent_two = SchedulerAgent::Connect(network_.get(), &clock_, "two").value();
  v1::RegisterNode node;
  node.set_kind(v1::WORKER);
  node.set_name("worker 0");
  node.set_slots(1);
  auto first = agent_one->RegisterNode(node, absl::Seconds(30));
  auto second = agent_two->RegisterNode(node, absl::Seconds(30));
  ASSERT_OK(first);
  ASSERT_OK(second);
  EXPECT_NE(first->cluster(), second->cluster());
  EXPECT_EQ(first->lease_s(), 3.0);
}

TEST_F(SchedulerAppTest, ATakenAddressIsUnavailable) {
  auto app = SchedulerApp::Start(Options("here"));
  ASSERT_OK(app);
  EXPECT_THAT(SchedulerApp::Start(Options("here")),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("here")));
}

TEST_F(SchedulerAppTest, WrongOptionsAreNamed) {
  SchedulerApp::Options options = Options("");
  options.lease = absl::ZeroDuration();
  EXPECT_THAT(SchedulerApp::Start(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("lease is 0")));
  options.network = nullptr;
  EXPECT_THAT(SchedulerApp::Start(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("network")));
}

}  // namespace
}  // namespace seraph
