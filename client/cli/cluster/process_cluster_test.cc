// SPDX-License-Identifier: Apache-2.0
// Daemons are played by shell scripts: what is tested is how children are started, watched and
// ended. Real daemons run in tests/e2e.
#include "client/cli/cluster/process_cluster.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using testing::HasSubstr;

class ProcessClusterTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/process_cluster_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    // Port 9 of loopback: nobody listens, so reports fail at once.
    options_.daemons.scheduler =
        Script("scheduler", "echo seraph_scheduler ready at 127.0.0.1:9; " + kServe);
    options_.daemons.server =
        Script("server", "echo \"seraph_server ready at 127.0.0.1:9 (node 1)\"; " + kServe);
    options_.daemons.worker = Script("worker", "echo \"seraph_worker ready (node 2)\"; " + kServe);
    options_.size = {.servers = 2, .workers = 1};
    options_.clock = &clock_;
  }

  std::string Script(const std::string& name, const std::string& commands) {
    const std::string path = folder_ + "/" + name;
    std::ofstream(path) << "#!/bin/sh\necho $$ >> " << folder_ << "/pids\necho \"$@\" >> " << path
                        << ".args\n"
                        << commands << "\n";
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path;
  }

  std::vector<pid_t> Pids() const {
    std::ifstream file(folder_ + "/pids");
    std::vector<pid_t> pids;
    for (pid_t pid; file >> pid;) pids.push_back(pid);
    return pids;
  }
  size_t Running() const {
    size_t running = 0;
    for (const pid_t pid : Pids()) running += kill(pid, 0) == 0 ? 1 : 0;
    return running;
  }
  std::string Arguments(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name + ".args");
    std::string line;
    std::getline(file, line);
    return line;
  }
  absl::Time Soon() const { return clock_.Now() + absl::Seconds(20); }

  const std::string kServe = "exec tail -f /dev/null";
  SystemClock clock_;
  std::string folder_;
  ProcessClusterOptions options_;
};

TEST_F(ProcessClusterTest, StartsAllAndLeavesNothingBehind) {
  {
    const auto cluster = StartProcessCluster(options_);
    ASSERT_OK(cluster.status());
    EXPECT_EQ((*cluster)->scheduler(), "127.0.0.1:9");
    EXPECT_OK((*cluster)->Health());
    EXPECT_EQ(Pids().size(), 4u);
    EXPECT_EQ(Running(), 4u);
    EXPECT_EQ(Arguments("scheduler"), "--listen=127.0.0.1:0");
    EXPECT_THAT(Arguments("server"), HasSubstr("--scheduler=127.0.0.1:9"));
    EXPECT_THAT(Arguments("worker"), HasSubstr("--name=worker 0"));
  }
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, NamesAChildThatDies) {
  const auto cluster = StartProcessCluster(options_);
  ASSERT_OK(cluster.status());
  kill(Pids().back(), SIGKILL);
  EXPECT_THAT((*cluster)->AwaitTrouble(Soon()),
              StatusIs(absl::StatusCode::kAborted, HasSubstr(" was killed by signal 9")));
  (*cluster)->Shutdown(absl::Seconds(5));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, ShutdownIsNoTrouble) {
  const auto cluster = StartProcessCluster(options_);
  ASSERT_OK(cluster.status());
  (*cluster)->Shutdown(absl::Seconds(5));
  EXPECT_OK((*cluster)->Health());
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, KillsAChildThatDoesNotEnd) {
  options_.daemons.worker = Script("worker", "trap '' TERM; echo ready; " + kServe);
  const auto cluster = StartProcessCluster(options_);
  ASSERT_OK(cluster.status());
  (*cluster)->Shutdown(absl::Milliseconds(50));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, AChildThatFailsToStartIsNamedWithItsError) {
  options_.daemons.server =
      Script("server", "echo 'error: seraph_server: listen: in use' >&2; exit 3");
  EXPECT_THAT(StartProcessCluster(options_).status(),
              StatusIs(absl::StatusCode::kAborted,
                       HasSubstr(" exited with code 3: seraph_server: listen: in use")));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, AChildThatDoesNotGetReadyIsNamed) {
  options_.daemons.scheduler = Script("scheduler", kServe);
  options_.start_deadline = absl::Milliseconds(50);
  EXPECT_THAT(StartProcessCluster(options_).status(),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("scheduler")));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, ASchedulerThatDiesWhileOthersStartIsNamedAtOnce) {
  options_.daemons.scheduler =
      Script("scheduler", "echo seraph_scheduler ready at 127.0.0.1:9; exit 7");
  options_.daemons.server = Script("server", kServe);  // Waits for the scheduler.
  options_.start_deadline = absl::Hours(1);
  EXPECT_THAT(StartProcessCluster(options_).status(),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("scheduler exited with code 7")));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, ASignalEndsTheStart) {
  options_.daemons.worker = Script("worker", kServe);
  options_.start_deadline = absl::Hours(1);
  options_.interrupted = [] { return SIGINT; };
  EXPECT_THAT(StartProcessCluster(options_).status(),
              StatusIs(absl::StatusCode::kCancelled, HasSubstr("SIGINT")));
  EXPECT_EQ(Running(), 0u);
}

TEST_F(ProcessClusterTest, ASchedulerWithoutAddressIsAnError) {
  options_.daemons.scheduler = Script("scheduler", "echo hello; " + kServe);
  EXPECT_THAT(StartProcessCluster(options_).status(),
              StatusIs(absl::StatusCode::kInternal, HasSubstr("\"hello\"")));
}

}  // namespace
}  // namespace seraph
