// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/child_process.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <fstream>
#include <sstream>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using testing::HasSubstr;

class ChildProcessTest : public testing::Test {
 protected:
  absl::StatusOr<std::unique_ptr<ChildProcess>> Shell(const std::string& script) {
    ChildProcess::Options options;
    options.name = "worker 1";
    options.program = "/bin/sh";
    options.arguments = {"-c", script};
    options.clock = &clock_;
    options.on_exit = [this](const ChildProcess& child) { last_exit_ = child.DescribeExit(); };
    return ChildProcess::Start(std::move(options));
  }
  absl::Time Soon() const { return clock_.Now() + absl::Seconds(20); }

  SystemClock clock_;
  std::string last_exit_;  // Read when the child is destroyed.
};

TEST_F(ChildProcessTest, GivesTheFirstLineWhileTheChildRuns) {
  auto child = Shell("echo ready at 127.0.0.1:7; echo more; exec cat <&2");
  ASSERT_OK(child.status());
  const absl::StatusOr<std::string> line = (*child)->AwaitFirstLine(Soon());
  ASSERT_OK(line.status());
  EXPECT_EQ(*line, "ready at 127.0.0.1:7");
}

TEST_F(ChildProcessTest, TellsHowAChildEnded) {
  auto child = Shell("echo first >&2; echo error: no memory >&2; echo bye >&2; exit 3");
  ASSERT_OK(child.status());
  ASSERT_TRUE((*child)->AwaitExit(Soon()));
  EXPECT_EQ((*child)->exited()->code, 3);
  EXPECT_FALSE((*child)->exited()->clean());
  EXPECT_EQ((*child)->DescribeExit(), "worker 1 exited with code 3: no memory");
  child->reset();
  EXPECT_EQ(last_exit_, "worker 1 exited with code 3: no memory");
}

TEST_F(ChildProcessTest, TellsWhichSignalKilledAChild) {
  auto child = Shell("kill -9 $$");
  ASSERT_OK(child.status());
  ASSERT_TRUE((*child)->AwaitExit(Soon()));
  EXPECT_EQ((*child)->DescribeExit(), "worker 1 was killed by signal 9");
}

TEST_F(ChildProcessTest, AChildThatEndsBeforeItIsReadySaysWhy) {
  auto child = Shell("echo error: listen on port 7: in use >&2; exit 3");
  ASSERT_OK(child.status());
  EXPECT_THAT((*child)->AwaitFirstLine(Soon()).status(),
              StatusIs(absl::StatusCode::kUnavailable,
                       "worker 1 exited with code 3: listen on port 7: in use"));
}

TEST_F(ChildProcessTest, WaitingForTheFirstLineHasADeadline) {
  auto child = Shell("exec tail -f /dev/null");
  ASSERT_OK(child.status());
  EXPECT_THAT((*child)->AwaitFirstLine(clock_.Now() + absl::Milliseconds(20)).status(),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("worker 1")));
  EXPECT_FALSE((*child)->AwaitExit(clock_.Now() + absl::Milliseconds(20)));
}

TEST_F(ChildProcessTest, DestroyingKillsAndCollects) {
  auto child = Shell("trap '' TERM INT; echo on; exec tail -f /dev/null");
  ASSERT_OK(child.status());
  ASSERT_OK((*child)->AwaitFirstLine(Soon()).status());
  const pid_t pid = (*child)->pid();
  child->reset();
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(ChildProcessTest, SignalsReachTheChildEvenIfBlockedInTheParent) {
  sigset_t blocked, before;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &blocked, &before);
  auto child = Shell("exec tail -f /dev/null");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  ASSERT_OK(child.status());
  (*child)->Signal(SIGTERM);
  ASSERT_TRUE((*child)->AwaitExit(Soon()));
  EXPECT_EQ((*child)->exited()->signal_number, SIGTERM);
  (*child)->Signal(SIGTERM);  // Nothing happens.
}

TEST_F(ChildProcessTest, AChildHasItsOwnProcessGroup) {
  auto child = Shell("exec tail -f /dev/null");
  ASSERT_OK(child.status());
  EXPECT_EQ(getpgid((*child)->pid()), (*child)->pid());
  EXPECT_NE(getpgid(0), (*child)->pid());
}

TEST_F(ChildProcessTest, ALongSilentOrLoudChildDoesNotBlock) {
  auto child = Shell("yes | head -c 5000000; yes err | head -c 5000000 >&2; exit 0");
  ASSERT_OK(child.status());
  ASSERT_TRUE((*child)->AwaitExit(Soon()));
  EXPECT_TRUE((*child)->exited()->clean());
}

TEST_F(ChildProcessTest, AMissingProgramIsNamed) {
  ChildProcess::Options options;
  options.name = "server 0";
  options.program = "/no/such/program";
  options.clock = &clock_;
  EXPECT_THAT(ChildProcess::Start(std::move(options)).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       "start server 0: run /no/such/program: No such file or directory"));
}

}  // namespace
}  // namespace seraph
