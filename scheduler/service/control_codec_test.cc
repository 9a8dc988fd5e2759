// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_codec.h"

#include <limits>

#include "common/hint.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

v1::JobSpec Spec() {
  v1::JobSpec spec;
  spec.mutable_model()->set_type("lr");
  spec.mutable_data()->add_train()->set_path("/data/train");
  spec.mutable_sync()->set_mode("ssp");
  spec.mutable_train()->set_epochs(3);
  spec.mutable_train()->set_seed(9);
  spec.mutable_cluster()->set_servers(2);
  spec.mutable_cluster()->set_workers(4);
  return spec;
}

TEST(ControlCodecTest, APlanIsWhatTheJobAsksFor) {
  v1::JobSpec spec = Spec();
  auto plan = PlanOf(spec);
  ASSERT_OK(plan);
  EXPECT_EQ(plan->servers, 2u);
  EXPECT_EQ(plan->workers, 4u);
  EXPECT_EQ(plan->epochs, 3u);
  EXPECT_EQ(plan->seed, 9u);
  EXPECT_TRUE(plan->leases);
  EXPECT_FALSE(plan->tests);
  spec.mutable_sync()->set_mode("bsp");
  spec.mutable_data()->add_test()->set_path("/data/test");
  spec.mutable_output()->set_model("/out");
  // Which models there are is for workers to know.
  spec.mutable_model()->set_type("a model of tomorrow");
  plan = PlanOf(spec);
  ASSERT_OK(plan);
  EXPECT_FALSE(plan->leases);
  EXPECT_TRUE(plan->tests);
  EXPECT_FALSE(plan->validates);
  EXPECT_FALSE(plan->early_stop.has_value());
  spec.set_validation(0.1);
  spec.mutable_early_stop()->set_metric("auc");
  spec.mutable_early_stop()->set_patience(4);
  plan = PlanOf(spec);
  ASSERT_OK(plan);
  EXPECT_TRUE(plan->validates);
  ASSERT_TRUE(plan->early_stop.has_value());
  EXPECT_EQ(plan->early_stop->metric, Metric::kAuc);
  EXPECT_EQ(plan->early_stop->patience, 4u);
}

TEST(ControlCodecTest, TasksSayWhatIsScoredAndWhichModelIsSaved) {
  const auto encode = [](Phase phase, bool kept) {
    Task task;
    task.phase = phase;
    task.kept = kept;
    v1::NextTaskReply reply;
    EncodeTask(task, JobPlan(), 1, &reply);
    return reply;
  };
  EXPECT_TRUE(encode(Phase::kValidate, false).evaluate().validation());
  EXPECT_FALSE(encode(Phase::kEvaluate, false).evaluate().validation());
  EXPECT_EQ(encode(Phase::kKeep, false).save().mode(), v1::SaveTask::KEEP);
  EXPECT_EQ(encode(Phase::kSave, false).save().mode(), v1::SaveTask::NOW);
  EXPECT_EQ(encode(Phase::kSave, true).save().mode(), v1::SaveTask::KEPT);
}

TEST(ControlCodecTest, ImpossibleJobsAreRefusedByKey) {
  const auto refusal = [](void (*change)(v1::JobSpec*)) {
    v1::JobSpec spec = Spec();
    change(&spec);
    return std::string(PlanOf(spec).status().message());
  };
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->set_name(std::string(5 << 20, 'x')); }),
              HasSubstr("bytes, at most"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_cluster()->clear_workers(); }),
              HasSubstr("cluster.workers is 0"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_cluster()->set_servers(1u << 31); }),
              HasSubstr("cluster.servers"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_train()->set_epochs(0); }),
              HasSubstr("train.epochs"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_sync()->set_mode("x"); }),
              HasSubstr("sync.mode: \"x\" is none of asp, bsp, ssp"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_data()->clear_train(); }),
              HasSubstr("data.train"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_cluster()->set_replicas(1); }),
              HasSubstr("replicas"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) { s->mutable_early_stop()->set_patience(1); }),
              HasSubstr("early_stop: the job has neither"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) {
                s->set_validation(0.5);
                s->mutable_early_stop()->set_metric("aux");
              }),
              HasSubstr("early_stop.metric: \"aux\" is no metric"));
  EXPECT_THAT(refusal([](v1::JobSpec* s) {
                s->set_validation(0.5);
                s->mutable_early_stop()->set_metric("auc");
              }),
              HasSubstr("early_stop.patience is 0"));
  for (const double share : {-0.1, 1.0, 5.0, std::numeric_limits<double>::infinity(),
                             std::numeric_limits<double>::quiet_NaN()}) {
    v1::JobSpec spec = Spec();
    spec.set_validation(share);
    EXPECT_THAT(std::string(PlanOf(spec).status().message()), HasSubstr("validation is ")) << share;
  }
  EXPECT_FALSE(PlanOf(v1::JobSpec()).ok());
}

TEST(ControlCodecTest, AnIndexMustAddUp) {
  v1::NextTask request;
  v1::DataIndex* train = request.mutable_index()->mutable_train();
  train->add_files()->set_path("a");
  train->add_blocks()->set_rows(5);
  train->set_rows(5);
  request.mutable_index()->set_prediction(v1::PREDICTION_KIND_REGRESSION);
  auto outcome = DecodeResult(request);
  ASSERT_OK(outcome);
  EXPECT_EQ(std::get<IndexOutcome>(*outcome).train_rows, 5u);
  EXPECT_EQ(std::get<IndexOutcome>(*outcome).prediction, PredictionKind::kRegression);
  train->set_rows(6);
  EXPECT_THAT(DecodeResult(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("5 rows, not 6")));
  train->mutable_blocks(0)->set_file(1);
  EXPECT_THAT(DecodeResult(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("file 1")));
  EXPECT_FALSE(DecodeResult(v1::NextTask()).ok());
}

TEST(ControlCodecTest, AnIndexSaysWhatTheModelPredicts) {
  v1::NextTask request;
  request.mutable_index();
  EXPECT_THAT(DecodeResult(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("predicts")));
  request.mutable_index()->set_prediction(static_cast<v1::PredictionKind>(77));
  EXPECT_THAT(DecodeResult(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("kind 77")));
  const std::pair<v1::PredictionKind, PredictionKind> kinds[] = {
      {v1::PREDICTION_KIND_BINARY, PredictionKind::kBinary},
      {v1::PREDICTION_KIND_REGRESSION, PredictionKind::kRegression},
      {v1::PREDICTION_KIND_CLASSES, PredictionKind::kClasses},
      {v1::PREDICTION_KIND_MARGIN, PredictionKind::kMargin},
      {v1::PREDICTION_KIND_VALUE, PredictionKind::kValue}};
  for (const auto& [proto, kind] : kinds) {
    request.mutable_index()->set_prediction(proto);
    const auto outcome = DecodeResult(request);
    ASSERT_OK(outcome);
    EXPECT_EQ(std::get<IndexOutcome>(*outcome).prediction, kind);
  }
}

// It goes out again to every rank, with the job's spec.
TEST(ControlCodecTest, AnIndexThatWouldNotFitIntoATaskIsRefused) {
  v1::NextTask request;
  request.mutable_index()->set_prediction(v1::PREDICTION_KIND_BINARY);
  for (int i = 0; i < 25; ++i) {
    request.mutable_index()->mutable_train()->add_files()->set_path(std::string(1 << 20, 'x'));
  }
  EXPECT_THAT(DecodeResult(request),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("25 files and 0 blocks")));
}

TEST(ControlCodecTest, FailuresKeepCodeAndHint) {
  v1::NextTask request;
  request.mutable_failure()->set_code(3);
  request.mutable_failure()->set_error("a:1: label 2");
  request.mutable_failure()->set_hint("say data.label");
  auto outcome = DecodeResult(request);
  ASSERT_OK(outcome);
  EXPECT_THAT(std::get<absl::Status>(*outcome),
              StatusIs(absl::StatusCode::kInvalidArgument, "a:1: label 2"));
  JobDoneEvent done;
  done.status = JobDoneEvent::Status::kFailed;
  done.error = std::get<absl::Status>(*outcome);
  const v1::JobEvent event = EncodeEvent({4, done});
  EXPECT_EQ(event.number(), 4u);
  EXPECT_EQ(event.done().code(), 3u);
  EXPECT_EQ(event.done().hint(), "say data.label");
  for (const uint32_t odd : {0u, 17u, ~0u}) {  // A failure is never OK, whatever its code.
    request.mutable_failure()->set_code(odd);
    EXPECT_EQ(std::get<absl::Status>(*DecodeResult(request)).code(), absl::StatusCode::kUnknown);
  }
}

TEST(ControlCodecTest, ARunHasThreeListsOfOneLength) {
  v1::ScoreRun run;
  run.add_score(0.5f);
  run.add_positives(2);
  EXPECT_THAT(DecodeRun(run), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("1 and 0")));
  run.add_negatives(1);
  auto counts = DecodeRun(run);
  ASSERT_OK(counts);
  EXPECT_EQ((*counts)[0].positives, 2u);
}

TEST(ControlCodecTest, AbsentMetricsStayAbsent) {
  EpochDoneEvent epoch;
  epoch.epoch = 1;
  epoch.train.metrics.logloss = 0.5;
  epoch.train.metrics.loss = 2;
  const v1::JobEvent event = EncodeEvent({1, epoch});
  EXPECT_EQ(event.epoch().train().logloss(), 0.5);
  EXPECT_EQ(event.epoch().train().loss(), 2);
  EXPECT_FALSE(event.epoch().train().has_auc());
  EXPECT_FALSE(event.epoch().train().has_rmse());
  EXPECT_FALSE(event.epoch().has_test());
}

}  // namespace
}  // namespace seraph
