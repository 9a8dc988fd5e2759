// SPDX-License-Identifier: Apache-2.0
// Processes of a local job that die, and interruptions: the job ends within its time, says who and
// why, and leaves no process behind.
#include <signal.h>

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

class FaultsTest : public ::testing::Test {
 protected:
  // A job that runs for long, as processes; returns when its first epoch is done.
  void StartLongJob(std::vector<std::string> more = {"--processes"}) {
    model_ = FreshPath("model");
    std::vector<std::string> argv = {SeraphBinary(),
                                     "train",
                                     "examples/census_lr.yaml",
                                     "--json",
                                     "--set=train.epochs=100000",
                                     "--set=sync.mode=bsp",
                                     "--set=cluster.workers=2",
                                     "--set=output.model=" + model_};
    argv.insert(argv.end(), more.begin(), more.end());
    command_ = std::make_unique<Command>(argv);
    ASSERT_TRUE(command_->AwaitOut("\"epoch\"")) << "the job did not get through an epoch";
  }

  pid_t ChildNamed(const std::string& name) {
    const std::vector<pid_t> found = command_->Children(name);
    EXPECT_EQ(found.size(), 1u) << name;
    return found.empty() ? -1 : found[0];
  }

  // Waits for the end and checks that it came in time and that all children are gone.
  CommandResult End() {
    const std::vector<pid_t> children = command_->Children("seraph_");
    const absl::Time start = absl::Now();
    const CommandResult result = command_->Wait(absl::Seconds(60));
    EXPECT_LT(absl::Now() - start, absl::Seconds(10));  // Promised: 5 s; the machine may be loaded.
    for (const pid_t child : children)
      EXPECT_NE(::kill(child, 0), 0) << "process " << child << " is still there";
    EXPECT_EQ(RunCommand({"/bin/sh", "-c", "ls -d " + model_ + "* 2>/dev/null"}).out, "")
        << "nothing half-written";
    return result;
  }

  std::string model_;
  std::unique_ptr<Command> command_;
};

TEST_F(FaultsTest, AKilledWorkerEndsTheJobByName) {
  StartLongJob();
  ::kill(ChildNamed("worker 1"), SIGKILL);
  const CommandResult result = End();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("worker 1"), HasSubstr("killed by signal 9")));
  EXPECT_EQ(result.LastEvent()["event"], "done");
  EXPECT_EQ(result.LastEvent()["status"], "failed");
}

TEST_F(FaultsTest, AKilledServerEndsTheJobByName) {
  StartLongJob();
  ::kill(ChildNamed("server 0"), SIGKILL);
  const CommandResult result = End();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("server 0"), HasSubstr("killed by signal 9")));
}

TEST_F(FaultsTest, AKilledSchedulerEndsTheJobByName) {
  StartLongJob();
  ::kill(ChildNamed("seraph_scheduler"), SIGKILL);
  const CommandResult result = End();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("scheduler"), HasSubstr("killed by signal 9")));
}

TEST_F(FaultsTest, AStoppedWorkerIsNamedOnceItsLeaseIsOver) {
  StartLongJob();
  ::kill(ChildNamed("worker 1"), SIGSTOP);
  const CommandResult result = End();
  EXPECT_EQ(result.exit_code, 1) << result.err;
  EXPECT_THAT(result.err, AllOf(HasSubstr("worker 1"), HasSubstr("lease")));
}

TEST_F(FaultsTest, InterruptsEndTheJobCleanly) {
  for (const int signal_number : {SIGINT, SIGTERM}) {
    for (const bool processes : {true, false}) {
      StartLongJob(processes ? std::vector<std::string>{"--processes"}
                             : std::vector<std::string>{});
      command_->Signal(signal_number);
      EXPECT_EQ(End().exit_code, 128 + signal_number);
    }
  }
}

TEST_F(FaultsTest, ChildrenDieWithAKilledParent) {
  StartLongJob();
  const std::vector<pid_t> children = command_->Children("seraph_");
  EXPECT_EQ(children.size(), 5u);
  command_->Signal(SIGKILL);
  command_->Wait();
  const absl::Time deadline = absl::Now() + absl::Seconds(10);
  for (const pid_t child : children) {
    // Reaped by whoever adopts orphans: a zombie counts as gone.
    const std::string stat = absl::StrCat("/proc/", child, "/stat");
    while (::kill(child, 0) == 0 && ReadFile(stat).find(") Z ") == std::string::npos) {
      ASSERT_LT(absl::Now(), deadline) << "process " << child << " outlives its parent";
    }
  }
}

}  // namespace
}  // namespace seraph
