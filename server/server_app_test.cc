// SPDX-License-Identifier: Apache-2.0
#include "server/server_app.h"

#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/file_system.h"
#include "common/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "proto/control.pb.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

// The side of the scheduler that a server sees: registers, hears of heartbeats and leavings.
class Registrar : public FrameHandler {
 public:
  void Handle(Frame request, absl::string_view, Respond respond) override {
    const v1::ControlRequest& control = request.header.control_request();
    Frame reply;
    v1::ControlReply* out = reply.header.mutable_control_reply();
    MutexLock lock(&mu_);
    if (control.has_register_node()) {
      registered_.push_back(control.register_node());
      out->mutable_register_node()->set_node(registered_.size());
      out->mutable_register_node()->set_lease_s(0.03);
    } else if (control.has_heartbeat()) {
      if (dead_) return respond(absl::NotFoundError("node 1 is dead"));
      out->mutable_heartbeat();
    } else if (control.has_node_exited()) {
      left_.push_back(control.node_exited());
      out->mutable_node_exited();
    }
    respond(std::move(reply));
  }
  std::vector<v1::RegisterNode> registered() {
    MutexLock lock(&mu_);
    return registered_;
  }
  std::vector<v1::NodeExited> left() {
    MutexLock lock(&mu_);
    return left_;
  }
  void DeclareDead() {
    MutexLock lock(&mu_);
    dead_ = true;
  }

 private:
  Mutex mu_;
  bool dead_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<v1::RegisterNode> registered_ ABSL_GUARDED_BY(mu_);
  std::vector<v1::NodeExited> left_ ABSL_GUARDED_BY(mu_);
};

class ServerAppTest : public ::testing::Test {
 protected:
  ServerApp::Options Options(const std::string& name = "s0") {
    ServerApp::Options options;
    options.network = network_.get();
    options.clock = &clock_;
    options.file_system = file_system_.get();
    options.scheduler = scheduler_->address();
    options.name = name;
    options.register_deadline = absl::Milliseconds(50);
    return options;
  }

  SystemClock clock_;
  const std::unique_ptr<FileSystem> file_system_ = NewPosixFileSystem();
  const std::unique_ptr<Network> network_ = NewInProcessNetwork(&clock_);
  Registrar registrar_;
  const std::unique_ptr<Listener> scheduler_ = network_->Listen("", &registrar_).value();
};

TEST_F(ServerAppTest, RegistersWithNameAndAddressAndSaysWhenItLeaves) {
  std::unique_ptr<ServerApp> app = ServerApp::Start(Options()).value();
  EXPECT_EQ(app->node(), 1u);
  ASSERT_EQ(registrar_.registered().size(), 1u);
  EXPECT_EQ(registrar_.registered()[0].name(), "s0");
  EXPECT_EQ(registrar_.registered()[0].address(), app->address());
  EXPECT_EQ(registrar_.registered()[0].kind(), v1::SERVER);
  EXPECT_OK(app->health());
  app->Shutdown(absl::Seconds(1));
  app->Shutdown(absl::Seconds(1));
  ASSERT_EQ(registrar_.left().size(), 1u);
  EXPECT_TRUE(registrar_.left()[0].clean());
}

TEST_F(ServerAppTest, TwoFitInOneProcess) {
  std::unique_ptr<ServerApp> first = ServerApp::Start(Options("s0")).value();
  std::unique_ptr<ServerApp> second = ServerApp::Start(Options("s1")).value();
  EXPECT_NE(first->address(), second->address());
  EXPECT_NE(first->node(), second->node());
}

TEST_F(ServerAppTest, AServerDeclaredDeadSaysSoAndAnswersNobody) {
  std::unique_ptr<ServerApp> app = ServerApp::Start(Options()).value();
  registrar_.DeclareDead();
  const absl::Time deadline = clock_.Now() + absl::Seconds(30);
  Mutex mu;
  CondVar never;
  while (app->health().ok() && clock_.Now() < deadline) {
    MutexLock lock(&mu);
    clock_.WaitUntil(&never, &mu, clock_.Now() + absl::Milliseconds(1));
  }
  EXPECT_THAT(app->health(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("s0")));
  Frame stats;
  stats.header.mutable_data_request()->mutable_stats();
  const auto channel = network_->Connect(app->address()).value();
  EXPECT_EQ(CallAndWait(channel.get(), std::move(stats), absl::Seconds(10)).status().code(),
            absl::StatusCode::kUnavailable);
}

TEST_F(ServerAppTest, WrongOptionsAreNamed) {
  ServerApp::Options options = Options();
  options.executors = 257;
  EXPECT_THAT(ServerApp::Start(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("executors 257")));
  options = Options();
  options.memory_bytes = 5;
  EXPECT_THAT(ServerApp::Start(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("5 bytes")));
  options = Options();
  options.network = nullptr;
  EXPECT_THAT(ServerApp::Start(options),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("network")));
}

TEST_F(ServerAppTest, ASchedulerThatDoesNotAnswerIsNamed) {
  ServerApp::Options options = Options();
  options.scheduler = "nobody-here";
  EXPECT_THAT(ServerApp::Start(options),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr("nobody-here")));
}

TEST_F(ServerAppTest, AnAddressInUseIsNamed) {
  ServerApp::Options options = Options();
  options.listen = scheduler_->address();
  EXPECT_THAT(ServerApp::Start(options),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr(scheduler_->address())));
}

}  // namespace
}  // namespace seraph
