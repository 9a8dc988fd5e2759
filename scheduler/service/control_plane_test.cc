// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_plane.h"

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// One server, two workers of one slot, and jobs of one worker that read a block.
class ControlPlaneTest : public ::testing::Test {
 protected:
  ControlPlaneTest() {
    server_ = Register(v1::SERVER, "server 0");
    for (const char* name : {"worker 0", "worker 1"})
      workers_.push_back(Register(v1::WORKER, name));
    Settle();
  }
  v1::ControlReply Answer(const v1::ControlRequest& request) {
    absl::StatusOr<v1::ControlReply> reply = plane_.Answer(request, now_);
    EXPECT_OK(reply);
    return reply.ok() ? *std::move(reply) : v1::ControlReply();
  }
  uint64_t Register(v1::NodeKind kind, const std::string& name) {
    v1::ControlRequest request;
    request.mutable_register_node()->set_kind(kind);
    request.mutable_register_node()->set_name(name);
    request.mutable_register_node()->set_address(kind == v1::SERVER ? "s:1" : "");
    request.mutable_register_node()->set_slots(1);
    return Answer(request).register_node().node();
  }
  uint64_t Submit(uint32_t workers = 1) {
    v1::ControlRequest request;
    v1::JobSpec* job = request.mutable_submit_job()->mutable_job();
    job->mutable_model()->set_type("lr");
    job->mutable_data()->add_train()->set_path("/data");
    job->mutable_sync()->set_mode("bsp");
    job->mutable_train()->set_epochs(1);
    job->mutable_cluster()->set_servers(1);
    job->mutable_cluster()->set_workers(workers);
    job->mutable_output()->set_model("/out");
    return Answer(request).submit_job().job();
  }
  void Cancel(uint64_t job) {
    v1::ControlRequest request;
    request.mutable_cancel_job()->set_job(job);
    Answer(request);
  }
  void HandIn(uint64_t node, uint64_t job, uint64_t task, v1::NextTask result, uint32_t rank = 0) {
    result.set_node(node);
    result.set_job(job);
    result.set_rank(rank);
    result.set_task(task);
    ASSERT_OK(plane_.Hear(result, now_));
    plane_.TakeResult(result, now_);
  }
  static v1::NextTask IndexOf(uint64_t rows) {
    v1::NextTask result;
    result.mutable_index()->set_prediction(v1::PREDICTION_KIND_REGRESSION);
    v1::DataIndex* train = result.mutable_index()->mutable_train();
    train->add_files()->set_path("/data");
    train->add_blocks()->set_rows(static_cast<uint32_t>(rows));
    train->set_rows(rows);
    return result;
  }
  // Settles, and returns whom it and what came before it concern.
  ControlPlane::Changes Settle() {
    ended_ = plane_.Settle(now_);
    return plane_.TakeChanges();
  }

  absl::Time now_ = absl::UnixEpoch();
  ControlPlane plane_{absl::Seconds(3), "test"};
  uint64_t server_ = 0;
  std::vector<uint64_t> workers_;
  std::vector<uint64_t> ended_;
};

TEST_F(ControlPlaneTest, HeartbeatsConcernNobody) {
  Submit();
  Settle();
  v1::ControlRequest beat;
  beat.mutable_heartbeat()->set_node(server_);
  Answer(beat);
  EXPECT_TRUE(Settle().empty());
}

TEST_F(ControlPlaneTest, AJobThatStartsConcernsItsWatchersAndItsNodes) {
  const uint64_t job = Submit();
  const ControlPlane::Changes changes = Settle();
  EXPECT_THAT(changes.told, ElementsAre(job));
  EXPECT_THAT(changes.moved, ElementsAre(job));
  EXPECT_THAT(changes.nodes, ElementsAre(workers_[0]));
  EXPECT_TRUE(Settle().empty());
}

TEST_F(ControlPlaneTest, AJobThatWaitsStartsWhenASlotIsFree) {
  const uint64_t first = Submit(2), second = Submit(1);
  EXPECT_THAT(Settle().moved, ElementsAre(first));
  ASSERT_TRUE(plane_.TryNextTask(workers_[0], 0, 0, 1).has_value());
  Cancel(first);
  // Rank 1 never heard of the job: its slot is free at once.
  ControlPlane::Changes changes = Settle();
  EXPECT_THAT(ended_, ElementsAre(first));
  EXPECT_THAT(changes.moved, ElementsAre(first, second));
  EXPECT_THAT(changes.nodes, ElementsAre(workers_[1]));
  const uint64_t third = Submit(1);
  EXPECT_THAT(Settle().moved, IsEmpty());
  // Rank 0 is told to finish.
  auto finish = plane_.TryNextTask(workers_[0], first, 0, 0);
  ASSERT_TRUE(finish.has_value());
  EXPECT_TRUE((*finish)->next_task().has_finish());
  EXPECT_THAT(Settle().moved, ElementsAre(third));
}

TEST_F(ControlPlaneTest, ResultsConcernTheRanksOnceAllAreIn) {
  const uint64_t job = Submit(2);
  Settle();
  HandIn(workers_[0], job, 1, IndexOf(10));
  ControlPlane::Changes changes = Settle();
  EXPECT_THAT(changes.moved, ElementsAre(job));
  EXPECT_THAT(changes.nodes, ElementsAre(workers_[0], workers_[1]));
  v1::NextTask prepared;
  prepared.mutable_prepare();
  HandIn(workers_[0], job, 2, prepared);
  EXPECT_TRUE(Settle().empty());
  HandIn(workers_[1], job, 2, prepared, 1);
  EXPECT_THAT(Settle().moved, ElementsAre(job));
}

TEST_F(ControlPlaneTest, WhatWasFoundOfTheDataGoesToEveryRank) {
  const uint64_t job = Submit(2);
  Settle();
  v1::NextTask found = IndexOf(10);
  found.mutable_index()->mutable_fit()->add_scales()->set_divisor(7);
  HandIn(workers_[0], job, 1, found);
  Settle();
  for (const uint32_t rank : {0u, 1u}) {
    // A rank that has heard nothing yet joins as an idle one.
    const auto task = plane_.TryNextTask(workers_[rank], rank == 0 ? job : 0, rank, 1);
    ASSERT_TRUE(task.has_value());
    ASSERT_OK(*task);
    ASSERT_EQ((*task)->next_task().prepare().fit().scales_size(), 1);
    EXPECT_EQ((*task)->next_task().prepare().fit().scales(0).divisor(), 7);
  }
}

TEST_F(ControlPlaneTest, ProgressConcernsWatchersAlone) {
  const uint64_t job = Submit();
  Settle();
  HandIn(workers_[0], job, 1, IndexOf(10));
  v1::NextTask prepared;
  prepared.mutable_prepare();
  HandIn(workers_[0], job, 2, prepared);
  Settle();
  now_ += absl::Seconds(1);
  v1::ControlRequest progress;
  progress.mutable_report_progress()->set_node(workers_[0]);
  progress.mutable_report_progress()->set_job(job);
  progress.mutable_report_progress()->set_epoch(1);
  progress.mutable_report_progress()->set_rows(5);
  Answer(progress);
  const ControlPlane::Changes changes = Settle();
  EXPECT_THAT(changes.told, ElementsAre(job));
  EXPECT_THAT(changes.moved, IsEmpty());
  EXPECT_THAT(changes.nodes, IsEmpty());
}

TEST_F(ControlPlaneTest, ADeadNodeConcernsItsSlotsAndItsJobs) {
  const uint64_t job = Submit(2);
  Settle();
  now_ += absl::Seconds(4);
  plane_.Expire(now_);
  const ControlPlane::Changes changes = Settle();
  EXPECT_THAT(changes.nodes, ElementsAre(server_, workers_[0], workers_[1]));
  EXPECT_THAT(changes.moved, ElementsAre(job));
  EXPECT_THAT(ended_, ElementsAre(job));
  EXPECT_EQ(plane_.TryNextTask(workers_[0], job, 0, 0)->status().code(),
            absl::StatusCode::kNotFound);
}

TEST_F(ControlPlaneTest, OfAJobThatEndedTheOutcomeIsKept) {
  const uint64_t job = Submit();
  Settle();
  HandIn(workers_[0], job, 1, IndexOf(10));
  v1::NextTask prepared, trained, saved;
  prepared.mutable_prepare();
  trained.mutable_train()->set_rows(10);
  trained.mutable_train()->set_loss_sum(5);
  saved.mutable_save()->add_servers()->set_name("s:1");
  HandIn(workers_[0], job, 2, prepared);
  HandIn(workers_[0], job, 3, trained);
  HandIn(workers_[0], job, 4, saved);
  Settle();
  EXPECT_THAT(ended_, ElementsAre(job));
  const auto told = plane_.TryWatch(job, 0);
  ASSERT_TRUE(told.has_value());
  const v1::JobDone& done = (*told)->watch_job().events().rbegin()->done();
  EXPECT_EQ(done.model(), "/out");
  EXPECT_EQ(done.servers(0).name(), "server 0");  // Workers know servers by address.
}

}  // namespace
}  // namespace seraph
