// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_service.h"

#include <chrono>
#include <future>
#include <set>

#include "scheduler/agent/agent.h"
#include "tests/fakes/fake_clock.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

using Reply = absl::StatusOr<v1::ControlReply>;

v1::JobSpec Spec(const std::string& mode, uint32_t workers) {
  v1::JobSpec spec;
  spec.set_name("test");
  spec.mutable_model()->set_type("lr");
  spec.mutable_data()->add_train()->set_path("/data/train");
  spec.mutable_data()->add_test()->set_path("/data/test");
  spec.mutable_sync()->set_mode(mode);
  spec.mutable_train()->set_epochs(1);
  spec.mutable_cluster()->set_servers(1);
  spec.mutable_cluster()->set_workers(workers);
  spec.mutable_output()->set_model("/out/model");
  return spec;
}

v1::DataIndex Index(uint32_t blocks) {
  v1::DataIndex index;
  index.add_files()->set_path("/data/train");
  for (uint32_t b = 0; b < blocks; ++b) index.add_blocks()->set_rows(10);
  index.set_rows(10 * blocks);
  return index;
}

// A scheduler on a clock that the test turns; requests go over the in-process network.
class ControlServiceTest : public ::testing::Test {
 protected:
  // What the request is answered with; ready at once unless it parks.
  std::future<Reply> Ask(const v1::ControlRequest& request) {
    auto answer = std::make_shared<std::promise<Reply>>();
    Frame frame;
    *frame.header.mutable_control_request() = request;
    channel_->Call(std::move(frame), absl::Hours(1), [answer](absl::StatusOr<Frame> reply) {
      answer->set_value(reply.ok() ? Reply(reply->header.control_reply()) : Reply(reply.status()));
    });
    return answer->get_future();
  }
  static bool Parks(const std::future<Reply>& answer) {
    return answer.wait_for(std::chrono::seconds(0)) != std::future_status::ready;
  }
  static Reply Take(std::future<Reply> answer) {
    if (answer.wait_for(std::chrono::seconds(60)) != std::future_status::ready) {
      return absl::DeadlineExceededError("no answer within a minute");
    }
    return answer.get();
  }
  Reply Call(const v1::ControlRequest& request) { return Take(Ask(request)); }

  static v1::ControlRequest NodeRequest(v1::NodeKind kind, const std::string& name) {
    v1::ControlRequest request;
    v1::RegisterNode* node = request.mutable_register_node();
    node->set_kind(kind);
    node->set_name(name);
    node->set_address(kind == v1::SERVER ? name + ":1" : "");
    node->set_slots(1);
    return request;
  }
  uint64_t Register(v1::NodeKind kind, const std::string& name) {
    Reply reply = Call(NodeRequest(kind, name));
    EXPECT_OK(reply);
    return reply.ok() ? reply->register_node().node() : 0;
  }
  uint64_t Submit(const v1::JobSpec& spec) {
    v1::ControlRequest request;
    *request.mutable_submit_job()->mutable_job() = spec;
    Reply reply = Call(request);
    EXPECT_OK(reply);
    return reply.ok() ? reply->submit_job().job() : 0;
  }
  absl::Status Beat(uint64_t node) {
    v1::ControlRequest request;
    request.mutable_heartbeat()->set_node(node);
    return Call(request).status();
  }
  static v1::ControlRequest WatchRequest(uint64_t job, uint64_t after, double timeout_s) {
    v1::ControlRequest request;
    request.mutable_watch_job()->set_job(job);
    request.mutable_watch_job()->set_after(after);
    request.mutable_watch_job()->set_timeout_s(timeout_s);
    return request;
  }
  // The job's last event so far.
  v1::JobEvent LastEvent(uint64_t job) {
    Reply reply = Call(WatchRequest(job, 0, 0));
    EXPECT_OK(reply);
    if (!reply.ok() || reply->watch_job().events().empty()) return {};
    return *reply->watch_job().events().rbegin();
  }
  // Waits for the end of the job.
  v1::JobDone DoneOf(uint64_t job) {
    uint64_t after = 0;
    while (true) {
      Reply reply = Call(WatchRequest(job, after, 60));
      EXPECT_OK(reply);
      if (!reply.ok()) return {};
      for (const v1::JobEvent& event : reply->watch_job().events()) {
        after = event.number();
        if (event.has_done()) return event.done();
      }
    }
  }

  // Asks for work as an idle slot, or as a rank when `job` is set; hands `result` in.
  static v1::ControlRequest TaskRequest(uint64_t node, uint64_t job = 0, uint32_t rank = 0,
                                        const v1::NextTask& result = {}) {
    v1::ControlRequest request;
    *request.mutable_next_task() = result;
    request.mutable_next_task()->set_node(node);
    request.mutable_next_task()->set_job(job);
    request.mutable_next_task()->set_rank(rank);
    request.mutable_next_task()->set_timeout_s(30);
    return request;
  }
  static v1::NextTask ResultFor(uint64_t task) {
    v1::NextTask result;
    result.set_task(task);
    return result;
  }
  static v1::NextTaskReply TaskOf(std::future<Reply> answer) {
    Reply reply = Take(std::move(answer));
    EXPECT_OK(reply);
    return reply.ok() ? reply->next_task() : v1::NextTaskReply();
  }
  v1::NextTask IndexResultFor(uint64_t task) {
    v1::NextTask result = ResultFor(task);
    result.mutable_index()->set_prediction(v1::PREDICTION_KIND_BINARY);
    *result.mutable_index()->mutable_train() = Index(8);
    *result.mutable_index()->mutable_test() = Index(2);
    return result;
  }

  FakeClock clock_;
  SystemClock system_clock_;
  std::unique_ptr<ControlService> service_ =
      std::make_unique<ControlService>(ControlService::Options{
          .clock = &clock_, .lease = absl::Seconds(3), .cluster = "test", .scores = {}});
  std::unique_ptr<Network> network_ = NewInProcessNetwork(&system_clock_);
  std::unique_ptr<Listener> listener_ = network_->Listen("scheduler", service_.get()).value();
  std::shared_ptr<Channel> channel_ = network_->Connect("scheduler").value();
};

TEST_F(ControlServiceTest, RunsAJobOfTwoRanksToItsEnd) {
  Register(v1::SERVER, "server 0");
  const uint64_t w1 = Register(v1::WORKER, "worker 1"), w0 = Register(v1::WORKER, "worker 0");
  std::future<Reply> idle0 = Ask(TaskRequest(w0)), idle1 = Ask(TaskRequest(w1));
  EXPECT_TRUE(Parks(idle0));
  const uint64_t job = Submit(Spec("bsp", 2));

  const v1::NextTaskReply index = TaskOf(std::move(idle0));
  EXPECT_EQ(index.rank(), 0u);
  EXPECT_EQ(index.group(), "job-1");
  EXPECT_EQ(index.spec().name(), "test");
  EXPECT_EQ(index.index().train(0).path(), "/data/train");
  EXPECT_TRUE(Parks(idle1));  // Rank 0 reads first.

  std::future<Reply> rank0 = Ask(TaskRequest(w0, job, 0, IndexResultFor(index.task())));
  v1::NextTaskReply prepare0 = TaskOf(std::move(rank0)), prepare1 = TaskOf(std::move(idle1));
  EXPECT_EQ(prepare0.prepare().train().rows(), 80u);
  EXPECT_EQ(prepare1.prepare().test().blocks_size(), 2);
  EXPECT_EQ(prepare1.rank(), 1u);
  EXPECT_TRUE(prepare1.has_spec());
  EXPECT_FALSE(prepare0.has_spec());  // It knows the job.

  v1::NextTask prepared = ResultFor(prepare0.task());
  prepared.mutable_prepare();
  rank0 = Ask(TaskRequest(w0, job, 0, prepared));
  EXPECT_TRUE(Parks(rank0));
  std::future<Reply> rank1 = Ask(TaskRequest(w1, job, 1, prepared));
  const v1::NextTaskReply train = TaskOf(std::move(rank0));
  EXPECT_EQ(train.train().epoch(), 1u);
  EXPECT_EQ(TaskOf(std::move(rank1)).train().start_clock(), 0);

  v1::NextTask trained = ResultFor(train.task());
  trained.mutable_train()->set_rows(40);
  trained.mutable_train()->set_loss_sum(10);
  trained.mutable_train()->set_steps(5);
  rank0 = Ask(TaskRequest(w0, job, 0, trained));
  rank1 = Ask(TaskRequest(w1, job, 1, trained));
  const v1::NextTaskReply evaluate0 = TaskOf(std::move(rank0));
  const v1::NextTaskReply evaluate1 = TaskOf(std::move(rank1));
  EXPECT_EQ(evaluate0.evaluate().stride(), 2u);
  EXPECT_EQ(evaluate1.evaluate().first_block(), 1u);

  // Rank 1 sends part of its scores before the result, once more than once.
  v1::ControlRequest report;
  report.set_request_id(77);
  report.mutable_report_scores()->set_node(w1);
  report.mutable_report_scores()->set_job(job);
  report.mutable_report_scores()->set_rank(1);
  report.mutable_report_scores()->set_task(evaluate1.task());
  report.mutable_report_scores()->mutable_run()->add_score(0.9f);
  report.mutable_report_scores()->mutable_run()->add_positives(5);
  report.mutable_report_scores()->mutable_run()->add_negatives(0);
  ASSERT_OK(Call(report));
  ASSERT_OK(Call(report));
  for (const uint32_t rank : {1u, 0u}) {
    v1::NextTask scored = ResultFor(evaluate0.task());
    v1::BlockSums* block = scored.mutable_evaluate()->add_blocks();
    block->set_block(rank);
    block->set_rows(10);
    block->set_loss(4);
    block->set_correct(9);
    block->set_label(5);
    v1::ScoreRun* run = scored.mutable_evaluate()->mutable_run();
    run->add_score(0.1f);
    run->add_positives(rank == 0 ? 5 : 0);
    run->add_negatives(5);
    (rank == 0 ? rank0 : rank1) = Ask(TaskRequest(rank == 0 ? w0 : w1, job, rank, scored));
  }
  const v1::NextTaskReply save = TaskOf(std::move(rank0));
  EXPECT_EQ(save.save().epochs(), 1u);
  EXPECT_EQ(save.save().steps(), 5u);
  EXPECT_TRUE(Parks(rank1));

  v1::NextTask saved = ResultFor(save.task());
  v1::ServerUse* use = saved.mutable_save()->add_servers();
  use->set_name("server 0:1");  // Workers know servers by address.
  use->mutable_stats()->set_requests(42);
  rank0 = Ask(TaskRequest(w0, job, 0, saved));
  EXPECT_EQ(TaskOf(std::move(rank0)).finish().reason(), "");
  EXPECT_TRUE(TaskOf(std::move(rank1)).has_finish());

  const v1::JobDone done = DoneOf(job);
  EXPECT_EQ(done.status(), v1::JobDone::SUCCEEDED);
  EXPECT_EQ(done.model(), "/out/model");
  EXPECT_EQ(done.rows_read(), 80u);
  EXPECT_EQ(done.test().auc(), (5 * 10 + 5 * 10 / 2.0) / 100);
  EXPECT_EQ(done.test().logloss(), 0.4);
  EXPECT_EQ(done.test().accuracy(), 0.9);
  ASSERT_EQ(done.servers_size(), 1);
  EXPECT_EQ(done.servers(0).name(), "server 0");
  EXPECT_EQ(done.servers(0).stats().requests(), 42u);
  EXPECT_TRUE(Parks(Ask(TaskRequest(w0))));  // Free again.
}

TEST_F(ControlServiceTest, AWorkerThatMissesItsLeaseFailsTheJobByName) {
  const uint64_t server = Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  Register(v1::WORKER, "worker 1");
  const uint64_t job = Submit(Spec("bsp", 2));
  const v1::NextTaskReply index = TaskOf(Ask(TaskRequest(w0)));
  std::future<Reply> finish = Ask(TaskRequest(w0, job, 0, ResultFor(index.task())));
  EXPECT_FALSE(Parks(finish));  // Without a result the task comes again.
  clock_.Advance(absl::Seconds(2));
  ASSERT_OK(Beat(server));
  ASSERT_OK(Beat(w0));
  std::future<Reply> watch = Ask(WatchRequest(job, LastEvent(job).number(), 60));
  EXPECT_TRUE(Parks(watch));
  clock_.Advance(absl::Seconds(1.5));
  Reply told = Take(std::move(watch));
  ASSERT_OK(told);
  const v1::JobDone done = told->watch_job().events(0).done();
  EXPECT_EQ(done.status(), v1::JobDone::FAILED);
  EXPECT_EQ(done.code(), static_cast<uint32_t>(absl::StatusCode::kAborted));
  EXPECT_EQ(done.error(), "worker 1 (node 3) missed its lease of 3 s");
  EXPECT_THAT(TaskOf(Ask(TaskRequest(w0, job, 0))).finish().reason(), HasSubstr("worker 1"));
}

TEST_F(ControlServiceTest, AKilledWorkerFailsTheJobAtOnce) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  Register(v1::WORKER, "worker 1");
  const uint64_t job = Submit(Spec("ssp", 2));
  TaskOf(Ask(TaskRequest(w0)));
  v1::ControlRequest exited;
  exited.mutable_node_exited()->set_kind(v1::WORKER);
  exited.mutable_node_exited()->set_name("worker 1");
  exited.mutable_node_exited()->set_reason("killed by signal 9");
  ASSERT_OK(Call(exited));
  ASSERT_OK(Call(exited));  // A repeat changes nothing.
  EXPECT_EQ(DoneOf(job).error(), "worker 1 (node 3) was killed by signal 9");
  // Whoever is at work hears of it with its next report.
  v1::ControlRequest progress;
  progress.mutable_report_progress()->set_node(w0);
  progress.mutable_report_progress()->set_job(job);
  EXPECT_THAT(Call(progress), StatusIs(absl::StatusCode::kAborted, HasSubstr("signal 9")));
}

TEST_F(ControlServiceTest, AParkedWorkerThatDiesIsTold) {
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  std::future<Reply> idle = Ask(TaskRequest(w0));
  clock_.Advance(absl::Seconds(4));
  EXPECT_THAT(Take(std::move(idle)),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("missed its lease")));
  EXPECT_THAT(Beat(w0), StatusIs(absl::StatusCode::kNotFound, HasSubstr("worker 0 (node 1)")));
  EXPECT_NE(Register(v1::WORKER, "worker 0"), w0);  // The name is free again.
}

TEST_F(ControlServiceTest, TwoWorkersCannotHaveOneName) {
  Register(v1::WORKER, "worker 0");
  EXPECT_THAT(Call(NodeRequest(v1::WORKER, "worker 0")),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("worker \"worker 0\"")));
}

TEST_F(ControlServiceTest, ARepeatedRegistrationIsOneNode) {
  v1::ControlRequest request = NodeRequest(v1::WORKER, "worker 0");
  request.set_request_id(5);
  Reply first = Call(request), again = Call(request);
  ASSERT_OK(again);
  EXPECT_EQ(again->register_node().node(), first->register_node().node());
  EXPECT_EQ(again->register_node().cluster(), "test");
}

TEST_F(ControlServiceTest, StrangersGetNoTasks) {
  const uint64_t server = Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0"), w1 = Register(v1::WORKER, "worker 1");
  const uint64_t job = Submit(Spec("bsp", 1));
  EXPECT_THAT(Call(TaskRequest(99)), StatusIs(absl::StatusCode::kNotFound, HasSubstr("node 99")));
  EXPECT_THAT(Call(TaskRequest(server)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no worker")));
  EXPECT_THAT(Call(TaskRequest(w1, job, 0)),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("worker 1 (node 3)")));
  EXPECT_THAT(Call(TaskRequest(w0, 99, 0)),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("job 99")));
}

TEST_F(ControlServiceTest, WatchingParksUntilSomethingHappensOrTheTimeIsUp) {
  const uint64_t server = Register(v1::SERVER, "server 0");
  const uint64_t job = Submit(Spec("bsp", 1));
  std::future<Reply> watch = Ask(WatchRequest(job, 0, 1));
  EXPECT_TRUE(Parks(watch));
  clock_.Advance(absl::Seconds(1));
  Reply late = Take(std::move(watch));
  ASSERT_OK(late);
  EXPECT_EQ(late->watch_job().events_size(), 0);
  watch = Ask(WatchRequest(job, 0, 10));
  ASSERT_OK(Beat(server));
  EXPECT_TRUE(Parks(watch));
  Register(v1::WORKER, "worker 0");  // Now the job starts.
  Reply told = Take(std::move(watch));
  ASSERT_OK(told);
  EXPECT_EQ(told->watch_job().events(0).number(), 1u);
  EXPECT_EQ(told->watch_job().events(0).progress().phase(), "reading");
  EXPECT_EQ(Call(WatchRequest(9, 0, 1)).status().code(), absl::StatusCode::kNotFound);
}

TEST_F(ControlServiceTest, ACancelledJobTellsItsRanks) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0"), w1 = Register(v1::WORKER, "worker 1");
  const uint64_t job = Submit(Spec("bsp", 2));
  const v1::NextTaskReply index = TaskOf(Ask(TaskRequest(w0)));
  std::future<Reply> idle1 = Ask(TaskRequest(w1));
  v1::ControlRequest cancel;
  cancel.mutable_cancel_job()->set_job(job);
  cancel.mutable_cancel_job()->set_reason("interrupted");
  ASSERT_OK(Call(cancel));
  EXPECT_EQ(DoneOf(job).status(), v1::JobDone::CANCELLED);
  EXPECT_EQ(TaskOf(Ask(TaskRequest(w0, job, 0, IndexResultFor(index.task())))).finish().reason(),
            "interrupted");
  EXPECT_TRUE(Parks(idle1));  // Never heard of the job.
}

TEST_F(ControlServiceTest, AResultThatMakesNoSenseFailsTheJob) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  const uint64_t job = Submit(Spec("bsp", 1));
  const v1::NextTaskReply index = TaskOf(Ask(TaskRequest(w0)));
  v1::NextTask result = IndexResultFor(index.task());
  result.mutable_index()->mutable_train()->set_rows(7);
  EXPECT_TRUE(TaskOf(Ask(TaskRequest(w0, job, 0, result))).has_finish());
  EXPECT_THAT(DoneOf(job).error(), HasSubstr("worker 0 (node 2): index of training data"));
}

TEST_F(ControlServiceTest, ScoresThatMakeNoSenseFailTheJob) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  const uint64_t job = Submit(Spec("bsp", 1));
  TaskOf(Ask(TaskRequest(w0)));
  TaskOf(Ask(TaskRequest(w0, job, 0, IndexResultFor(1))));
  v1::NextTask prepared = ResultFor(2), trained = ResultFor(3), scored = ResultFor(4);
  prepared.mutable_prepare();
  TaskOf(Ask(TaskRequest(w0, job, 0, prepared)));
  trained.mutable_train()->set_rows(80);
  EXPECT_TRUE(TaskOf(Ask(TaskRequest(w0, job, 0, trained))).has_evaluate());
  scored.mutable_evaluate()->mutable_run()->add_score(0.5f);
  EXPECT_TRUE(TaskOf(Ask(TaskRequest(w0, job, 0, scored))).has_finish());
  EXPECT_THAT(DoneOf(job).error(), HasSubstr("worker 0 (node 2): scores: 1 scores, 0 and 0"));
}

TEST_F(ControlServiceTest, ARankIsHeardFromItsOwnNodeOnly) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  const uint64_t stranger = Register(v1::WORKER, "worker 1");
  const uint64_t job = Submit(Spec("ssp", 1));
  TaskOf(Ask(TaskRequest(w0)));
  v1::ControlRequest lease, progress, scores;
  const auto sign = [job](uint64_t node, auto* request) {
    request->set_node(node);
    request->set_job(job);
  };
  for (const uint64_t node : {stranger, w0 + 100}) {
    sign(node, lease.mutable_lease_shard());
    sign(node, progress.mutable_report_progress());
    sign(node, scores.mutable_report_scores());
    const auto refused = StatusIs(
        node == stranger ? absl::StatusCode::kFailedPrecondition : absl::StatusCode::kNotFound,
        HasSubstr(node == stranger ? "rank 0 of job 1 is not given to worker 1" : "is not known"));
    EXPECT_THAT(Call(lease), refused);
    EXPECT_THAT(Call(progress), refused);
    EXPECT_THAT(Call(scores), refused);
  }
}

TEST_F(ControlServiceTest, ARepeatedLeaseIsOneLease) {
  Register(v1::SERVER, "server 0");
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  const uint64_t job = Submit(Spec("ssp", 1));
  const v1::NextTaskReply index = TaskOf(Ask(TaskRequest(w0)));
  const v1::NextTaskReply prepare =
      TaskOf(Ask(TaskRequest(w0, job, 0, IndexResultFor(index.task()))));
  v1::NextTask prepared = ResultFor(prepare.task());
  prepared.mutable_prepare();
  EXPECT_TRUE(TaskOf(Ask(TaskRequest(w0, job, 0, prepared))).has_train());
  v1::ControlRequest lease;
  lease.mutable_lease_shard()->set_node(w0);
  lease.mutable_lease_shard()->set_job(job);
  lease.mutable_lease_shard()->set_epoch(1);
  lease.mutable_lease_shard()->set_want(true);
  lease.set_request_id(1000);
  const uint64_t first = Call(lease)->lease_shard().lease();
  EXPECT_NE(first, 0u);
  EXPECT_EQ(Call(lease)->lease_shard().lease(), first);
  lease.set_request_id(1001);
  EXPECT_NE(Call(lease)->lease_shard().lease(), first);
}

TEST_F(ControlServiceTest, TablesOfAJobLiveOnItsServersAndAsLongAsItRuns) {
  v1::ControlRequest create;
  create.mutable_create_table()->set_group("mine");
  create.mutable_create_table()->set_workers(1);
  create.mutable_create_table()->mutable_spec()->set_name("weights");
  create.mutable_create_table()->mutable_spec()->set_dim(1);
  create.mutable_create_table()->mutable_spec()->set_partitions(4);
  create.mutable_create_table()->mutable_spec()->mutable_optimizer()->set_type("sgd");
  EXPECT_EQ(Call(create).status().code(), absl::StatusCode::kUnavailable);
  for (const char* name : {"server 1", "server 0"}) Register(v1::SERVER, name);
  Register(v1::WORKER, "worker 0");
  Reply mine = Call(create);
  ASSERT_OK(mine);
  EXPECT_EQ(mine->create_table().table().servers_size(), 2);

  create.mutable_create_table()->set_group("job-1");
  EXPECT_EQ(Call(create).status().code(), absl::StatusCode::kNotFound);
  const uint64_t job = Submit(Spec("bsp", 1));
  Reply of_job = Call(create);
  ASSERT_OK(of_job);
  ASSERT_EQ(of_job->create_table().table().servers_size(), 1);
  EXPECT_EQ(of_job->create_table().table().servers(0).address(), "server 0:1");
  EXPECT_EQ(of_job->create_table().table().owner_size(), 4);
  create.mutable_create_table()->set_workers(2);
  EXPECT_THAT(Call(create), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("job 1 has 1")));
  create.mutable_create_table()->set_workers(1);
  v1::ControlRequest cancel;
  cancel.mutable_cancel_job()->set_job(job);
  ASSERT_OK(Call(cancel));
  EXPECT_THAT(Call(create),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("not running")));

  // A table whose server died is lost.
  v1::ControlRequest exited;
  exited.mutable_node_exited()->set_node(1);
  exited.mutable_node_exited()->set_clean(true);
  ASSERT_OK(Call(exited));
  create.mutable_create_table()->set_group("mine");
  EXPECT_THAT(Call(create),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("server 1 (node 1) left")));
}

TEST_F(ControlServiceTest, WhatHasNoAnswerYetIsRefusedWhenTooMuchWaits) {
  service_->Shutdown();
  listener_.reset();
  service_ = std::make_unique<ControlService>(ControlService::Options{.clock = &clock_,
                                                                      .lease = absl::Seconds(3),
                                                                      .cluster = "test",
                                                                      .scores = {},
                                                                      .most_parked = 1});
  listener_ = network_->Listen("scheduler", service_.get()).value();
  const uint64_t job = Submit(Spec("bsp", 1));
  std::future<Reply> first = Ask(WatchRequest(job, 0, 60));
  EXPECT_TRUE(Parks(first));
  EXPECT_THAT(Call(WatchRequest(job, 0, 60)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("1 waiting requests")));
  EXPECT_OK(Call(WatchRequest(job, 0, 0)));  // Does not wait.
  v1::ControlRequest cancel;
  cancel.mutable_cancel_job()->set_job(job);
  ASSERT_OK(Call(cancel));
  EXPECT_OK(Take(std::move(first)));
  EXPECT_OK(Call(WatchRequest(job, 0, 60)));
}

// Each request looks at what it concerns alone: going through all that is parked, this would take
// minutes.
TEST_F(ControlServiceTest, ManyWaitingRequestsDoNotHoldUpOthers) {
  constexpr int kMany = 30000;
  const uint64_t server = Register(v1::SERVER, "server 0");
  const uint64_t job = Submit(Spec("bsp", 1)), other = Submit(Spec("bsp", 1));
  std::vector<std::future<Reply>> waiting;
  for (int i = 0; i < kMany; ++i) waiting.push_back(Ask(WatchRequest(i % 2 ? job : other, 0, 60)));
  for (int i = 0; i < kMany; ++i) ASSERT_OK(Beat(server));
  v1::ControlRequest cancel;
  cancel.mutable_cancel_job()->set_job(job);
  ASSERT_OK(Call(cancel));
  for (int i = 0; i < kMany; ++i) EXPECT_EQ(Parks(waiting[i]), i % 2 == 0);
}

TEST_F(ControlServiceTest, NodesAreListed) {
  Register(v1::SERVER, "server 0");
  v1::ControlRequest list;
  list.mutable_list_nodes();
  Reply reply = Call(list);
  ASSERT_OK(reply);
  ASSERT_EQ(reply->list_nodes().nodes_size(), 1);
  EXPECT_EQ(reply->list_nodes().nodes(0).address(), "server 0:1");
  EXPECT_TRUE(reply->list_nodes().nodes(0).alive());
}

TEST_F(ControlServiceTest, EmptyAndForeignRequestsAreRefused) {
  EXPECT_EQ(Call(v1::ControlRequest()).status().code(), absl::StatusCode::kInvalidArgument);
  for (const bool payload : {false, true}) {
    Frame frame;
    if (payload) {
      frame.header.mutable_control_request()->mutable_list_nodes();
      frame.payload = Payload::Uninitialized(8);
    } else {
      frame.header.mutable_data_request();
    }
    EXPECT_THAT(CallAndWait(channel_.get(), std::move(frame), absl::Seconds(30)),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("control requests")));
  }
  v1::ControlRequest node = NodeRequest(v1::NODE_KIND_UNSPECIFIED, "x");
  EXPECT_EQ(Call(node).status().code(), absl::StatusCode::kInvalidArgument);
}

TEST_F(ControlServiceTest, ShutdownAnswersWhatIsParkedAndWhatComesLater) {
  const uint64_t w0 = Register(v1::WORKER, "worker 0");
  std::future<Reply> idle = Ask(TaskRequest(w0));
  service_->Shutdown();
  EXPECT_EQ(Take(std::move(idle)).status().code(), absl::StatusCode::kUnavailable);
  EXPECT_EQ(Beat(w0).code(), absl::StatusCode::kUnavailable);
}

// Workers as threads, through the agent, under the machine's clock.
class WorkersTest : public ::testing::Test {
 protected:
  static constexpr uint32_t kWorkers = 4;
  static constexpr uint32_t kBlocks = 200;

  void Work(uint32_t number) {
    auto agent = SchedulerAgent::Connect(network_.get(), &clock_, "scheduler").value();
    v1::RegisterNode node;
    node.set_kind(v1::WORKER);
    node.set_name(absl::StrCat("worker ", number));
    node.set_slots(1);
    v1::NextTask ask;
    const uint64_t id = agent->RegisterNode(node, kLong)->node();
    LeaseKeeper keeper(agent.get(), &clock_, id, absl::Seconds(3), [](absl::Status) {});
    while (true) {
      ask.set_node(id);
      ask.set_timeout_s(1);
      auto task = agent->NextTask(ask, kLong);
      ASSERT_OK(task);
      if (task->task() == 0) continue;
      if (task->has_finish()) return;
      ask.Clear();
      ask.set_job(task->job());
      ask.set_rank(task->rank());
      ask.set_task(task->task());
      Do(agent.get(), id, *task, &ask);
    }
  }

  void Do(SchedulerAgent* agent, uint64_t node, const v1::NextTaskReply& task,
          v1::NextTask* result) {
    if (task.has_index()) {
      result->mutable_index()->set_prediction(v1::PREDICTION_KIND_BINARY);
      *result->mutable_index()->mutable_train() = Index(kBlocks);
      *result->mutable_index()->mutable_test() = Index(kBlocks);
    } else if (task.has_prepare()) {
      result->mutable_prepare();
    } else if (task.has_train()) {
      Train(agent, node, task, result->mutable_train());
    } else if (task.has_evaluate()) {
      Evaluate(agent, node, task, result->mutable_evaluate());
    } else {
      result->mutable_save();
    }
  }

  void Train(SchedulerAgent* agent, uint64_t node, const v1::NextTaskReply& task,
             v1::TrainResult* result) {
    v1::LeaseShard lease;
    lease.set_node(node);
    lease.set_job(task.job());
    lease.set_rank(task.rank());
    lease.set_epoch(task.train().epoch());
    lease.set_want(true);
    v1::ReportProgress progress;
    progress.set_node(node);
    progress.set_job(task.job());
    progress.set_rank(task.rank());
    progress.set_epoch(task.train().epoch());
    while (true) {
      auto got = agent->LeaseShard(lease, kLong);
      ASSERT_OK(got);
      if (got->lease() == 0) return;
      {
        MutexLock lock(&mu_);
        for (const uint32_t block : got->block()) learned_.insert({task.train().epoch(), block});
        blocks_ += got->block_size();
      }
      result->set_rows(result->rows() + 10 * got->block_size());
      lease.clear_done();
      lease.add_done(got->lease());
      progress.set_rows(result->rows());
      ASSERT_OK(agent->ReportProgress(progress, kLong));
    }
  }

  void Evaluate(SchedulerAgent* agent, uint64_t node, const v1::NextTaskReply& task,
                v1::EvaluateResult* result) {
    v1::ReportScores report;
    report.set_node(node);
    report.set_job(task.job());
    report.set_rank(task.rank());
    report.set_task(task.task());
    for (uint32_t b = task.evaluate().first_block(); b < kBlocks; b += task.evaluate().stride()) {
      result->add_blocks()->set_block(b);
      result->mutable_blocks()->rbegin()->set_rows(10);
      report.mutable_run()->add_score(static_cast<float>(b));
      report.mutable_run()->add_positives(b >= kBlocks / 2 ? 10 : 0);
      report.mutable_run()->add_negatives(b >= kBlocks / 2 ? 0 : 10);
    }
    ASSERT_OK(agent->ReportScores(report, kLong));
  }

  static constexpr absl::Duration kLong = absl::Minutes(2);
  SystemClock clock_;
  Mutex mu_;
  std::set<std::pair<uint32_t, uint32_t>> learned_ ABSL_GUARDED_BY(mu_);  // Epoch, block.
  size_t blocks_ ABSL_GUARDED_BY(mu_) = 0;
  ControlService service_{{.clock = &clock_,
                           .lease = absl::Minutes(1),
                           .cluster = "test",
                           .scores = {.memory_bytes = 1024, .spill_folder = ""}}};
  std::unique_ptr<Network> network_ = NewInProcessNetwork(&clock_);
  std::unique_ptr<Listener> listener_ = network_->Listen("scheduler", &service_).value();
};

TEST_F(WorkersTest, ShareAJobByLeases) {
  auto agent = SchedulerAgent::Connect(network_.get(), &clock_, "scheduler").value();
  v1::RegisterNode server;
  server.set_kind(v1::SERVER);
  server.set_name("server 0");
  server.set_address("server:1");
  ASSERT_OK(agent->RegisterNode(server, kLong));
  v1::JobSpec spec = Spec("asp", kWorkers);
  spec.mutable_train()->set_epochs(3);
  const uint64_t job = agent->SubmitJob(spec, kLong).value();
  std::vector<std::thread> workers;
  for (uint32_t w = 0; w < kWorkers; ++w) workers.emplace_back([this, w] { Work(w); });
  v1::WatchJob watch;
  watch.set_job(job);
  watch.set_timeout_s(60);
  v1::JobDone done;
  while (!done.has_test()) {
    auto events = agent->WatchJob(watch, kLong);
    ASSERT_OK(events);
    ASSERT_GT(events->events_size(), 0);
    watch.set_after(events->events().rbegin()->number());
    if (events->events().rbegin()->has_done()) done = events->events().rbegin()->done();
    ASSERT_EQ(done.error(), "");
  }
  for (std::thread& worker : workers) worker.join();
  MutexLock lock(&mu_);
  EXPECT_EQ(learned_.size(), 3 * kBlocks);
  EXPECT_EQ(blocks_, 3 * kBlocks);
  EXPECT_EQ(done.status(), v1::JobDone::SUCCEEDED);
  EXPECT_EQ(done.rows_read(), 30 * kBlocks);
  EXPECT_EQ(done.test().auc(), 1.0);
}

}  // namespace
}  // namespace seraph
