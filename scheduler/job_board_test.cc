// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_board.h"

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class JobBoardTest : public ::testing::Test {
 protected:
  uint64_t AddServer(const std::string& name) {
    return members_
        .Register({.kind = NodeKind::kServer, .name = name, .address = name + ":1", .slots = 0},
                  now_)
        .value();
  }
  uint64_t AddWorker(const std::string& name, uint32_t slots = 1) {
    return members_
        .Register({.kind = NodeKind::kWorker, .name = name, .address = "", .slots = slots}, now_)
        .value();
  }
  uint64_t Submit(uint32_t servers, uint32_t workers) {
    const uint64_t id = board_.Submit({.servers = servers, .workers = workers}).value();
    Start();
    return id;
  }
  void Start() { board_.StartPending(members_, now_); }
  bool Pending(uint64_t job) { return board_.Find(job).value()->phase() == Phase::kPending; }
  void Kill(uint64_t node) {
    ASSERT_OK(members_.Exited(node, "killed by signal 9"));
    board_.NodeDied(Of(node), now_);
  }
  const Node& Of(uint64_t node) { return *members_.Find(node); }

  // Walks the job to its prepare phase, in which every rank has a task.
  void ToPrepare(uint64_t job) {
    ASSERT_OK(board_.Find(job).value()->TakeResult(
        0, 1, IndexOutcome{.train_blocks = 1, .train_rows = 1}, now_));
  }
  uint32_t RankGivenTo(uint64_t node, uint32_t idle_asks = 1) {
    const auto given = board_.ForIdle(Of(node), idle_asks);
    EXPECT_TRUE(given.has_value());
    return given.has_value() ? given->rank : 999;
  }

  absl::Time now_ = absl::UnixEpoch();
  Membership members_{absl::Seconds(3)};
  JobBoard board_;
};

TEST_F(JobBoardTest, GroupsAreNamedAfterJobs) {
  EXPECT_EQ(GroupOfJob(17), "job-17");
  EXPECT_EQ(JobOfGroup("job-17"), 17u);
  EXPECT_EQ(JobOfGroup("job-x"), std::nullopt);
  EXPECT_EQ(JobOfGroup("my-model"), std::nullopt);
}

TEST_F(JobBoardTest, AJobWaitsForServersAndSlots) {
  const uint64_t job = Submit(1, 2);
  EXPECT_TRUE(Pending(job));
  AddServer("server 0");
  AddWorker("worker 0");
  Start();
  EXPECT_TRUE(Pending(job));
  AddWorker("worker 1");
  Start();
  EXPECT_FALSE(Pending(job));
}

TEST_F(JobBoardTest, RanksFollowTheNaturalOrderOfNames) {
  AddServer("server 0");
  const uint64_t ten = AddWorker("worker 10");
  const uint64_t two = AddWorker("worker 2");
  const uint64_t one = AddWorker("worker 1");
  const uint64_t job = Submit(1, 3);
  ToPrepare(job);
  EXPECT_EQ(RankGivenTo(ten), 2u);
  EXPECT_EQ(RankGivenTo(two), 1u);
  EXPECT_EQ(RankGivenTo(one), 0u);
}

TEST_F(JobBoardTest, RanksGoRoundTheWorkers) {
  AddServer("server 0");
  const uint64_t a = AddWorker("a", 3);
  const uint64_t b = AddWorker("b", 1);
  const uint64_t job = Submit(1, 3);
  ToPrepare(job);
  EXPECT_EQ(RankGivenTo(a), 0u);
  EXPECT_EQ(RankGivenTo(a), 2u);
  EXPECT_EQ(RankGivenTo(b), 1u);
}

TEST_F(JobBoardTest, ASmallJobPassesOneThatDoesNotFit) {
  AddServer("server 0");
  AddWorker("worker 0");
  const uint64_t big = Submit(1, 2);
  const uint64_t small = Submit(1, 1);
  EXPECT_TRUE(Pending(big));
  EXPECT_FALSE(Pending(small));
}

TEST_F(JobBoardTest, SlotsComeBackWhenARankIsToldToFinish) {
  AddServer("server 0");
  const uint64_t worker = AddWorker("worker 0");
  const uint64_t first = Submit(1, 1);
  const uint64_t second = Submit(1, 1);
  EXPECT_EQ(RankGivenTo(worker), 0u);
  board_.Find(first).value()->Cancel("stop", now_);
  EXPECT_THAT(board_.TakeEnded(), ElementsAre(first));
  EXPECT_THAT(board_.TakeEnded(), ElementsAre());
  Start();
  EXPECT_TRUE(Pending(second));
  auto finish = board_.ForRank(Of(worker), first, 0);
  ASSERT_OK(finish);
  EXPECT_EQ((*finish)->task.phase, Phase::kEnded);
  Start();
  EXPECT_FALSE(Pending(second));
  // Asking again as the old rank still says finish.
  EXPECT_EQ(board_.ForRank(Of(worker), first, 0).value()->task.phase, Phase::kEnded);
}

TEST_F(JobBoardTest, SlotsOfRanksThatNeverHeardOfTheJobAreFreeAtOnce) {
  AddServer("server 0");
  AddWorker("worker 0");
  const uint64_t first = Submit(1, 1);
  const uint64_t second = Submit(1, 1);
  board_.Find(first).value()->Cancel("stop", now_);
  board_.TakeEnded();
  Start();
  EXPECT_FALSE(Pending(second));
}

TEST_F(JobBoardTest, ALostFirstAnswerComesAgain) {
  AddServer("server 0");
  const uint64_t worker = AddWorker("worker 0", 2);
  Submit(1, 1);
  auto first = board_.ForIdle(Of(worker), 2);
  ASSERT_TRUE(first.has_value());
  EXPECT_TRUE(first->joins);
  EXPECT_FALSE(board_.ForIdle(Of(worker), 1).has_value());  // The other slot: nothing to do.
  auto again = board_.ForIdle(Of(worker), 2);               // Both are idle: one answer was lost.
  ASSERT_TRUE(again.has_value());
  EXPECT_EQ(again->rank, first->rank);
  EXPECT_EQ(again->task.number, first->task.number);
  EXPECT_TRUE(again->joins);
  // Once the worker has spoken as that rank, it is not given away again.
  ASSERT_OK(board_.ForRank(Of(worker), 1, 0));
  EXPECT_FALSE(board_.ForIdle(Of(worker), 2).has_value());
}

TEST_F(JobBoardTest, RanksAndJobsOfOthersAreRefused) {
  AddServer("server 0");
  const uint64_t a = AddWorker("a"), b = AddWorker("b");
  const uint64_t job = Submit(1, 1);
  EXPECT_OK(board_.ForRank(Of(a), job, 0));
  EXPECT_THAT(board_.ForRank(Of(b), job, 0),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("b (node 3)")));
  EXPECT_FALSE(board_.ForRank(Of(a), job, 1).ok());
  EXPECT_THAT(board_.ForRank(Of(a), 99, 0),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("job 99")));
}

TEST_F(JobBoardTest, ADeadWorkerFailsItsJobsOnly) {
  AddServer("server 0");
  const uint64_t a = AddWorker("a");
  AddWorker("b");
  const uint64_t first = Submit(1, 1), second = Submit(1, 1);
  Kill(a);
  EXPECT_THAT(board_.Find(first).value()->error(),
              StatusIs(absl::StatusCode::kAborted, "a (node 2) was killed by signal 9"));
  EXPECT_FALSE(board_.Find(second).value()->ended());
}

TEST_F(JobBoardTest, ADeadServerFailsTheJobsThatUseIt) {
  const uint64_t s0 = AddServer("server 0");
  AddServer("server 1");
  AddWorker("a", 2);
  const uint64_t first = Submit(1, 1), second = Submit(1, 1);
  ASSERT_EQ(board_.ServersOf(first).size(), 1u);
  EXPECT_EQ(board_.ServersOf(first)[0].node, s0);
  EXPECT_NE(board_.ServersOf(second)[0].node, s0);  // The one with fewer jobs.
  Kill(s0);
  EXPECT_THAT(board_.Find(first).value()->error().message(), HasSubstr("server 0 (node 1)"));
  EXPECT_FALSE(board_.Find(second).value()->ended());
}

TEST_F(JobBoardTest, AJobTakesTheServersItAskedFor) {
  for (const char* name : {"s2", "s0", "s1"}) AddServer(name);
  AddWorker("a");
  const uint64_t job = Submit(2, 1);
  ASSERT_EQ(board_.ServersOf(job).size(), 2u);
  EXPECT_EQ(board_.ServersOf(job)[0].address, "s0:1");
  EXPECT_EQ(board_.ServersOf(job)[1].address, "s1:1");
}

TEST_F(JobBoardTest, TooManyJobsThatHaveNotEndedAreRefused) {
  for (size_t i = 0; i < JobBoard::kMostOpen; ++i) ASSERT_OK(board_.Submit({.workers = 1}));
  EXPECT_THAT(board_.Submit({.workers = 1}), StatusIs(absl::StatusCode::kResourceExhausted,
                                                      HasSubstr("1000 jobs that have not ended")));
  board_.Find(7).value()->Cancel("", now_);
  EXPECT_THAT(board_.TakeEnded(), ElementsAre(7));
  EXPECT_OK(board_.Submit({.workers = 1}));
}

TEST_F(JobBoardTest, ServersAreCountedByTheJobsThatRun) {
  const uint64_t s0 = AddServer("server 0"), s1 = AddServer("server 1");
  AddWorker("a", 4);
  const uint64_t first = Submit(1, 1);
  Submit(1, 1);
  EXPECT_EQ(board_.ServersOf(first)[0].node, s0);
  board_.Find(first).value()->Cancel("", now_);
  board_.TakeEnded();
  const uint64_t third = Submit(1, 1);  // s1 has the second.
  EXPECT_EQ(board_.ServersOf(third)[0].node, s0);
  Kill(s0);
  EXPECT_TRUE(board_.Find(third).value()->ended());
  EXPECT_EQ(board_.ServersOf(Submit(1, 1))[0].node, s1);
}

TEST_F(JobBoardTest, SlotsOfForgottenJobsAreFree) {
  AddServer("server 0");
  const uint64_t worker = AddWorker("worker 0");
  const uint64_t lost = Submit(1, 1);
  EXPECT_EQ(RankGivenTo(worker), 0u);  // And never asks again.
  board_.Find(lost).value()->Cancel("", now_);
  board_.TakeEnded();
  for (size_t i = 0; i < JobBoard::kEndedKept; ++i) {
    const uint64_t id = Submit(1, 1);
    EXPECT_TRUE(Pending(id));
    board_.Find(id).value()->Cancel("", now_);
    board_.TakeEnded();
  }
  EXPECT_FALSE(Pending(Submit(1, 1)));
}

TEST_F(JobBoardTest, OldJobsAreForgotten) {
  for (size_t i = 0; i <= JobBoard::kEndedKept; ++i) {
    const uint64_t id = Submit(1, 1);
    board_.Find(id).value()->Cancel("", now_);
    board_.TakeEnded();
  }
  EXPECT_FALSE(board_.Find(1).ok());
  EXPECT_OK(board_.Find(2));
  EXPECT_THAT(board_.open(), ElementsAre());
}

}  // namespace
}  // namespace seraph
