// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_machine.h"

#include <cmath>
#include <limits>

#include "common/hint.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr JobPlan kPlan = {
    .servers = 1, .workers = 2, .epochs = 2, .seed = 1, .leases = false, .tests = true};

JobPlan With(void (*change)(JobPlan*)) {
  JobPlan plan = kPlan;
  change(&plan);
  return plan;
}

EvaluationSums Sums(uint64_t rows, double loss) {
  return {.rows = rows,
          .loss = loss,
          .correct = rows,
          .label = 1,
          .label_squared = 1,
          .error_squared = loss};
}

// Drives a machine by verbs, a second a step.
class JobMachineTest : public ::testing::Test {
 protected:
  void Begin(const JobPlan& plan) {
    job_.emplace(plan);
    job_->Start(Tick());
  }
  absl::Time Tick() { return now_ += absl::Seconds(1); }

  Task TaskOf(uint32_t rank) {
    std::optional<Task> task = job_->TaskFor(rank);
    EXPECT_TRUE(task.has_value()) << "rank " << rank << " waits";
    return task.value_or(Task());
  }
  bool Waits(uint32_t rank) { return !job_->TaskFor(rank).has_value(); }
  void Hand(uint32_t rank, TaskOutcome outcome) {
    auto taken = job_->TakeResult(rank, TaskOf(rank).number, std::move(outcome), Tick());
    ASSERT_OK(taken);
    EXPECT_TRUE(*taken);
  }

  void Index(PredictionKind prediction = PredictionKind::kBinary) {
    EXPECT_EQ(TaskOf(0).phase, Phase::kIndex);
    EXPECT_TRUE(Waits(1));
    Hand(0, IndexOutcome{.prediction = prediction,
                         .train_blocks = 4,
                         .train_rows = 100,
                         .test_blocks = 3,
                         .test_rows = 6});
  }
  void Prepare() {
    for (uint32_t rank : {0, 1}) {
      EXPECT_EQ(TaskOf(rank).phase, Phase::kPrepare);
      Hand(rank, PrepareOutcome{});
    }
  }
  void Train(uint32_t epoch, uint64_t steps) {
    for (uint32_t rank : {1, 0}) {  // Not in rank order.
      EXPECT_EQ(TaskOf(rank).phase, Phase::kTrain);
      EXPECT_EQ(TaskOf(rank).epoch, epoch);
      Hand(rank,
           TrainOutcome{.rows = 49, .rows_skipped = 1, .loss_sum = 24.5, .steps = steps + rank});
    }
  }
  void Evaluate() {
    EXPECT_EQ(TaskOf(1).phase, Phase::kEvaluate);
    Hand(1, EvaluateOutcome{{{1, Sums(2, 0.25)}}, 0});
    Hand(0, EvaluateOutcome{{{2, Sums(2, 0.5)}, {0, Sums(2, 0.75)}}, 0});
  }
  void Scores() {
    EXPECT_TRUE(job_->wants_scores());
    EXPECT_TRUE(Waits(0));
    // Tasks before it: index, prepare, and train and evaluate of the epochs.
    job_->SetScores(ScoresTask(), CountedScores{6, 0.75}, Tick());
  }
  uint64_t ScoresTask() { return 2 + 2 * EpochsDone() + 2; }
  size_t EpochsDone() { return EventsOf<EpochDoneEvent>().size(); }

  template <typename Kind>
  std::vector<Kind> EventsOf() {
    std::vector<Kind> found;
    for (const JobEvent& event : job_->events().After(0)) {
      if (const Kind* kind = std::get_if<Kind>(&event.kind)) found.push_back(*kind);
    }
    return found;
  }
  JobDoneEvent Done() {
    const std::vector<JobDoneEvent> done = EventsOf<JobDoneEvent>();
    EXPECT_EQ(done.size(), 1u);
    return done.empty() ? JobDoneEvent() : done[0];
  }
  void ExpectFailed(absl::StatusCode code, const char* what) {
    EXPECT_TRUE(job_->ended());
    EXPECT_EQ(Done().status, JobDoneEvent::Status::kFailed);
    EXPECT_THAT(Done().error, StatusIs(code, HasSubstr(what)));
    for (uint32_t rank : {0, 1}) {
      EXPECT_EQ(TaskOf(rank).phase, Phase::kEnded);
      EXPECT_THAT(TaskOf(rank).reason, HasSubstr(what));
    }
    EXPECT_THAT(job_->ReportProgress(0, 1, 1, 1, now_),
                StatusIs(absl::StatusCode::kAborted, HasSubstr(what)));
  }

  absl::Time now_ = absl::UnixEpoch();
  std::optional<JobMachine> job_;
};

TEST_F(JobMachineTest, NothingToDoBeforeTheStart) {
  job_.emplace(kPlan);
  EXPECT_TRUE(Waits(0));
  EXPECT_FALSE(job_->TakeResult(0, 1, SaveOutcome{}, now_).ok());
}

TEST_F(JobMachineTest, GoesThroughAllPhasesAndSucceeds) {
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  Evaluate();
  Scores();
  EXPECT_EQ(TaskOf(1).start_clock, 11u);  // The largest clock of any rank.
  Train(2, 20);
  Evaluate();
  Scores();
  const Task save = TaskOf(0);
  EXPECT_EQ(save.phase, Phase::kSave);
  EXPECT_EQ(save.epochs, 2u);
  EXPECT_EQ(save.steps, 21u);
  EXPECT_TRUE(Waits(1));
  Hand(0, SaveOutcome{});
  EXPECT_TRUE(job_->ended());
  EXPECT_EQ(TaskOf(1).phase, Phase::kEnded);
  EXPECT_EQ(TaskOf(1).reason, "");

  const JobDoneEvent done = Done();
  EXPECT_EQ(done.status, JobDoneEvent::Status::kSucceeded);
  EXPECT_OK(done.error);
  EXPECT_EQ(done.epochs, 2u);
  EXPECT_EQ(done.rows_read, 196u);
  EXPECT_EQ(done.rows_skipped, 4u);
  EXPECT_EQ(done.test->auc, 0.75);
  EXPECT_GT(done.seconds, 0);
}

TEST_F(JobMachineTest, EventsTellRowsAndMetrics) {
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  EXPECT_EQ(EpochsDone(), 0u);  // Comes with the test.
  Evaluate();
  Scores();
  ASSERT_EQ(EventsOf<JobStartedEvent>().size(), 1u);
  EXPECT_EQ(EventsOf<JobStartedEvent>()[0].rows, 100u);
  ASSERT_EQ(EpochsDone(), 1u);
  const EpochDoneEvent epoch = EventsOf<EpochDoneEvent>()[0];
  EXPECT_EQ(epoch.rows, 98u);
  EXPECT_EQ(epoch.seconds, 2);  // Two results, a second each; without the test.
  EXPECT_EQ(epoch.rows_per_s, 49);
  EXPECT_EQ(epoch.train.metrics.logloss, 0.5);
  EXPECT_EQ(epoch.test->metrics.rows, 6u);
  EXPECT_EQ(epoch.test->metrics.logloss, 0.25);
  EXPECT_EQ(epoch.test->metrics.accuracy, 1.0);
  std::vector<std::string> phases;
  for (const JobProgressEvent& p : EventsOf<JobProgressEvent>()) phases.push_back(p.phase);
  EXPECT_THAT(phases, ::testing::ElementsAre("reading", "training", "testing", "training"));
}

TEST_F(JobMachineTest, WithoutTestDataNothingIsEvaluated) {
  Begin(With([](JobPlan* plan) { plan->tests = false; }));
  Index();
  Prepare();
  Train(1, 10);
  Train(2, 20);
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().status, JobDoneEvent::Status::kSucceeded);
  EXPECT_FALSE(Done().test.has_value());
  EXPECT_FALSE(EventsOf<EpochDoneEvent>()[1].test.has_value());
}

TEST_F(JobMachineTest, RegressionHasRmseAndCountsNoScores) {
  Begin(With([](JobPlan* plan) { plan->epochs = 1; }));
  Index(PredictionKind::kRegression);
  Prepare();
  Train(1, 10);
  Evaluate();
  EXPECT_FALSE(job_->wants_scores());
  const EpochDoneEvent epoch = EventsOf<EpochDoneEvent>()[0];
  EXPECT_EQ(epoch.train.metrics.rmse, 1.0);  // The mean loss is 0.5: half the squared error.
  EXPECT_EQ(epoch.test->metrics.rmse, std::sqrt(0.25));
  EXPECT_FALSE(epoch.test->auc.has_value());
  EXPECT_EQ(TaskOf(0).phase, Phase::kSave);
}

TEST_F(JobMachineTest, OnlyModelsThatHaveAnAucWaitForScores) {
  for (const auto& [kind, waits] :
       {std::pair(PredictionKind::kClasses, false), std::pair(PredictionKind::kMargin, true),
        std::pair(PredictionKind::kValue, false)}) {
    Begin(With([](JobPlan* plan) { plan->epochs = 1; }));
    Index(kind);
    Prepare();
    Train(1, 10);
    Evaluate();
    EXPECT_EQ(job_->wants_scores(), waits);
  }
}

TEST_F(JobMachineTest, SumsDoNotDependOnWhoScoredABlock) {
  std::vector<double> loglosses;
  for (const bool swapped : {false, true}) {
    Begin(With([](JobPlan* plan) { plan->epochs = 1; }));
    Index();
    Prepare();
    Train(1, 10);
    const BlockScore a{0, Sums(1, 0.1)}, b{1, Sums(4, 1e9)}, c{2, Sums(1, 0.7)};
    Hand(swapped ? 1 : 0, EvaluateOutcome{{c, a}, 0});
    Hand(swapped ? 0 : 1, EvaluateOutcome{{b}, 0});
    Scores();
    loglosses.push_back(EventsOf<EpochDoneEvent>()[0].test->metrics.logloss.value());
  }
  EXPECT_EQ(loglosses[0], loglosses[1]);
}

TEST_F(JobMachineTest, RepeatedAndOldResultsChangeNothing) {
  Begin(kPlan);
  Index();
  auto old = job_->TakeResult(0, 1, IndexOutcome{}, Tick());
  ASSERT_OK(old);
  EXPECT_FALSE(*old);
  Hand(0, PrepareOutcome{});
  auto again = job_->TakeResult(0, 2, PrepareOutcome{}, Tick());
  ASSERT_OK(again);
  EXPECT_FALSE(*again);
  EXPECT_EQ(job_->phase(), Phase::kPrepare);
}

TEST_F(JobMachineTest, ResultsThatDoNotBelongAreRefused) {
  Begin(kPlan);
  const auto refused = [&](uint32_t rank, uint64_t task, TaskOutcome outcome) {
    return job_->TakeResult(rank, task, std::move(outcome), now_).status().code() ==
           absl::StatusCode::kInvalidArgument;
  };
  EXPECT_TRUE(refused(2, 1, IndexOutcome{}));  // No such rank.
  EXPECT_TRUE(refused(1, 1, IndexOutcome{}));  // Not this rank's task.
  EXPECT_TRUE(refused(0, 1, TrainOutcome{}));  // Another kind.
  EXPECT_TRUE(refused(0, 2, IndexOutcome{}));  // Not given yet.
  EXPECT_TRUE(refused(0, 0, IndexOutcome{}));  // Never given.
  EXPECT_EQ(job_->phase(), Phase::kIndex);
}

TEST_F(JobMachineTest, AFailedTaskFailsTheJobInEveryPhase) {
  for (int before = 0; before <= 4; ++before) {  // Phases that went well.
    Begin(With([](JobPlan* plan) { plan->epochs = 1; }));
    if (before > 0) Index();
    if (before > 1) Prepare();
    if (before > 2) Train(1, 10);
    if (before > 3) Evaluate();
    if (before > 3) Scores();
    const absl::Status error =
        WithHint(absl::InvalidArgumentError("a.libsvm:5: label 2"), "say data.label");
    Hand(0, error);
    ExpectFailed(absl::StatusCode::kInvalidArgument, "a.libsvm:5: label 2");
    EXPECT_EQ(HintOf(Done().error), "say data.label");
    // The other rank's result comes too late and does no harm.
    auto late = job_->TakeResult(1, job_->TaskFor(1)->number - 1, SaveOutcome{}, Tick());
    ASSERT_OK(late);
    EXPECT_FALSE(*late);
  }
}

TEST_F(JobMachineTest, ARankThatCannotReadItsNextTaskFailsTheJobWithItsLast) {
  Begin(kPlan);
  Index();
  const auto taken = job_->TakeResult(0, 1, absl::InvalidArgumentError("too large"), Tick());
  ASSERT_OK(taken);
  EXPECT_TRUE(*taken);
  ExpectFailed(absl::StatusCode::kInvalidArgument, "too large");
}

TEST_F(JobMachineTest, TheFirstReasonStays) {
  Begin(kPlan);
  job_->Fail(absl::AbortedError("worker 1 (node 4) was killed by signal 9"), Tick());
  job_->Fail(absl::AbortedError("another"), Tick());
  job_->Cancel("too late", Tick());
  ExpectFailed(absl::StatusCode::kAborted, "worker 1 (node 4) was killed by signal 9");
}

TEST_F(JobMachineTest, AJobCanBeCancelledBeforeAndAfterItsStart) {
  job_.emplace(kPlan);
  job_->Cancel("changed my mind", Tick());
  EXPECT_EQ(Done().status, JobDoneEvent::Status::kCancelled);
  EXPECT_EQ(Done().seconds, 0);
  Begin(kPlan);
  Index();
  job_->Cancel("", Tick());
  EXPECT_EQ(Done().status, JobDoneEvent::Status::kCancelled);
  EXPECT_EQ(TaskOf(1).reason, "cancelled");
}

TEST_F(JobMachineTest, DataWithoutRowsFailsTheJob) {
  Begin(kPlan);
  Hand(0, IndexOutcome{.train_blocks = 0, .train_rows = 0, .test_blocks = 1, .test_rows = 1});
  ExpectFailed(absl::StatusCode::kInvalidArgument, "data.train");
  Begin(kPlan);
  Hand(0, IndexOutcome{.train_blocks = 1, .train_rows = 1, .test_blocks = 0, .test_rows = 0});
  ExpectFailed(absl::StatusCode::kInvalidArgument, "data.test");
}

TEST_F(JobMachineTest, DataWhoseRowsWereAllSkippedFailsTheJob) {
  Begin(kPlan);
  Index();
  Prepare();
  for (const uint32_t rank : {0, 1}) Hand(rank, TrainOutcome{.rows_skipped = 50});
  ExpectFailed(absl::StatusCode::kInvalidArgument, "data.train: all 100 rows are bad");
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  Hand(0, EvaluateOutcome{{{0, Sums(0, 0)}, {2, Sums(0, 0)}}, 4});
  Hand(1, EvaluateOutcome{{{1, Sums(0, 0)}}, 2});
  ExpectFailed(absl::StatusCode::kInvalidArgument, "data.test: all 6 rows are bad");
}

TEST_F(JobMachineTest, ALossThatIsNotFiniteFailsTheJob) {
  Begin(kPlan);
  Index();
  Prepare();
  Hand(1, TrainOutcome{.rows = 1,
                       .rows_skipped = 0,
                       .loss_sum = std::numeric_limits<double>::infinity(),
                       .steps = 1});
  ExpectFailed(absl::StatusCode::kAborted, "epoch 1: the training loss of rank 1 is not finite");
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  Hand(0, EvaluateOutcome{{{0, Sums(2, NAN)}, {2, Sums(2, 1)}}, 0});
  Hand(1, EvaluateOutcome{{{1, Sums(2, 1)}}, 0});
  ExpectFailed(absl::StatusCode::kAborted, "test loss is not finite");
}

TEST_F(JobMachineTest, EveryTestBlockCountsOnce) {
  for (const std::vector<uint32_t>& blocks :
       {std::vector<uint32_t>{0, 1, 1}, {0, 2}, {0, 1}, {0, 1, 2, 3}}) {
    Begin(kPlan);
    Index();
    Prepare();
    Train(1, 10);
    EvaluateOutcome outcome;
    for (const uint32_t block : blocks) outcome.blocks.push_back({block, Sums(2, 1)});
    Hand(0, outcome);
    Hand(1, EvaluateOutcome{});
    ExpectFailed(absl::StatusCode::kInternal, "test block");
  }
}

TEST_F(JobMachineTest, ScoresMustBeOfAllRows) {
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  Evaluate();
  job_->SetScores(3, CountedScores{5, 0.5}, Tick());  // An older task's: nothing.
  EXPECT_TRUE(job_->wants_scores());
  job_->SetScores(4, CountedScores{5, 0.5}, Tick());
  ExpectFailed(absl::StatusCode::kInternal, "scores of 5 test rows came for 6");
}

TEST_F(JobMachineTest, FailingToCountScoresFailsTheJob) {
  Begin(kPlan);
  Index();
  Prepare();
  Train(1, 10);
  Evaluate();
  job_->SetScores(4, absl::ResourceExhaustedError("disk full"), Tick());
  ExpectFailed(absl::StatusCode::kResourceExhausted, "disk full");
}

TEST_F(JobMachineTest, ScoresAreTakenFromRanksAtWorkOnly) {
  Begin(kPlan);
  Index();
  Prepare();
  EXPECT_EQ(job_->CheckScoring(0, 3).code(), absl::StatusCode::kFailedPrecondition);
  Train(1, 10);
  EXPECT_OK(job_->CheckScoring(0, 4));
  EXPECT_FALSE(job_->CheckScoring(0, 3).ok());
  EXPECT_FALSE(job_->CheckScoring(2, 4).ok());
  Hand(0, EvaluateOutcome{});
  EXPECT_FALSE(job_->CheckScoring(0, 4).ok());
  job_->Cancel("stop", Tick());
  EXPECT_THAT(job_->CheckScoring(1, 4), StatusIs(absl::StatusCode::kAborted, HasSubstr("stop")));
}

TEST_F(JobMachineTest, ProgressAddsRanksAndComesAtMostFiveTimesASecond) {
  Begin(kPlan);
  Index();
  Prepare();
  const size_t before = EventsOf<JobProgressEvent>().size();
  now_ += absl::Seconds(1);
  ASSERT_OK(job_->ReportProgress(0, 1, 10, 5, now_));
  ASSERT_OK(job_->ReportProgress(1, 1, 30, 5, now_ + absl::Milliseconds(100)));
  EXPECT_EQ(EventsOf<JobProgressEvent>().size(), before + 1);
  ASSERT_OK(job_->ReportProgress(1, 1, 20, 1, now_ + absl::Milliseconds(500)));  // Older, late.
  ASSERT_OK(job_->ReportProgress(0, 2, 99, 1, now_ + absl::Milliseconds(500)));  // Not this epoch.
  ASSERT_OK(job_->ReportProgress(0, 1, 20, 5, now_ + absl::Seconds(1)));
  ASSERT_EQ(EventsOf<JobProgressEvent>().size(), before + 2);
  const JobProgressEvent last = EventsOf<JobProgressEvent>().back();
  EXPECT_EQ(last.rows, 50u);
  EXPECT_EQ(last.train_loss, 0.2);
  EXPECT_EQ(last.rows_per_s, 25);
  EXPECT_FALSE(job_->ReportProgress(2, 1, 1, 1, now_).ok());
}

// A job of two epochs of which rows are held out: two of them, in four blocks.
class ValidatingJobTest : public JobMachineTest {
 protected:
  void BeginTraining(bool tests) {
    JobPlan plan = kPlan;
    plan.tests = tests;
    plan.validates = true;
    Begin(plan);
    Index(PredictionKind::kRegression);
    Prepare();
  }
  void Validate(double loss, uint64_t rows = 2) {
    EXPECT_EQ(TaskOf(0).phase, Phase::kValidate);
    Hand(0, EvaluateOutcome{{{0, Sums(rows, loss)}, {2, Sums(0, 0)}}, 0});
    Hand(1, EvaluateOutcome{{{1, Sums(0, 0)}, {3, Sums(0, 0)}}, 0});
  }
};

TEST_F(ValidatingJobTest, RowsHeldOutAreScoredBeforeTheTestData) {
  BeginTraining(true);
  Train(1, 10);
  Validate(2);
  Evaluate();
  ASSERT_EQ(EpochsDone(), 1u);
  const EpochDoneEvent epoch = EventsOf<EpochDoneEvent>()[0];
  EXPECT_EQ(epoch.validation->metrics.rows, 2u);
  EXPECT_EQ(epoch.validation->metrics.rmse, 1.0);
  EXPECT_EQ(epoch.test->metrics.rows, 6u);
  Train(2, 20);
  Validate(8);
  Evaluate();
  EXPECT_EQ(TaskOf(0).phase, Phase::kSave);
  EXPECT_FALSE(TaskOf(0).kept);
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().validation->metrics.rmse, 2.0);
  EXPECT_EQ(Done().best_epoch, 0u);
}

TEST_F(ValidatingJobTest, BinaryModelsWaitForScoresOfBothKinds) {
  JobPlan plan = kPlan;
  plan.validates = true;
  Begin(plan);
  Index();
  Prepare();
  Train(1, 10);
  Validate(1);
  EXPECT_TRUE(job_->wants_scores());
  job_->SetScores(4, CountedScores{2, 0.5}, Tick());
  Evaluate();
  EXPECT_TRUE(job_->wants_scores());
  job_->SetScores(5, CountedScores{6, 0.75}, Tick());
  EXPECT_EQ(EventsOf<EpochDoneEvent>()[0].validation->auc, 0.5);
  EXPECT_EQ(EventsOf<EpochDoneEvent>()[0].test->auc, 0.75);
}

TEST_F(ValidatingJobTest, WithoutARowHeldOutThereIsNothingToScore) {
  BeginTraining(false);
  Train(1, 10);
  Validate(0, 0);
  ExpectFailed(absl::StatusCode::kInvalidArgument, "validation: of 100 training rows none");
}

TEST_F(ValidatingJobTest, WithEveryRowHeldOutThereIsNothingToLearn) {
  BeginTraining(false);
  for (uint32_t rank : {0, 1}) {
    Hand(rank, TrainOutcome{.rows = 0, .rows_skipped = 0, .loss_sum = 0, .steps = 1});
  }
  ExpectFailed(absl::StatusCode::kInvalidArgument, "validation: all of 100 training rows");
}

TEST_F(ValidatingJobTest, EveryBlockOfTheTrainingDataCountsOnce) {
  BeginTraining(false);
  Train(1, 10);
  Hand(0, EvaluateOutcome{{{0, Sums(1, 1)}}, 0});
  Hand(1, EvaluateOutcome{{{1, Sums(1, 1)}}, 0});
  ExpectFailed(absl::StatusCode::kInternal, "2 of 4 validation blocks were scored");
}

// Ten epochs at most; stops after two without a better one.
class EarlyStopJobTest : public ValidatingJobTest {
 protected:
  void SetUp() override {
    JobPlan plan = kPlan;
    plan.tests = false;
    plan.validates = true;
    plan.epochs = 10;
    plan.early_stop = EarlyStopPlan{Metric::kRmse, 2};
    Begin(plan);
    Index(PredictionKind::kRegression);
    Prepare();
  }
  void Epoch(uint32_t epoch, double loss) {
    Train(epoch, 10 * epoch);
    Validate(loss);
  }
  void Keep(uint32_t epoch) {
    EXPECT_TRUE(Waits(1));
    const Task task = TaskOf(0);
    EXPECT_EQ(task.phase, Phase::kKeep);
    EXPECT_EQ(task.epochs, epoch);
    EXPECT_EQ(task.steps, 10 * epoch + 1);
    Hand(0, SaveOutcome{});
  }
};

TEST_F(EarlyStopJobTest, TheModelIsThatOfTheBestEpoch) {
  Epoch(1, 8);
  Keep(1);
  Epoch(2, 2);
  Keep(2);
  Epoch(3, 4);
  Epoch(4, 3);
  const Task save = TaskOf(0);
  EXPECT_EQ(save.phase, Phase::kSave);
  EXPECT_TRUE(save.kept);
  EXPECT_EQ(save.epochs, 2u);
  EXPECT_EQ(save.steps, 21u);
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().status, JobDoneEvent::Status::kSucceeded);
  EXPECT_EQ(Done().epochs, 4u);
  EXPECT_EQ(Done().best_epoch, 2u);
  EXPECT_EQ(Done().validation->metrics.rmse, 1.0);
}

TEST_F(EarlyStopJobTest, TheLastEpochIsSavedAsItIsWhenItIsTheBest) {
  for (uint32_t epoch = 1; epoch < 10; ++epoch) {
    Epoch(epoch, 100.0 / epoch);
    Keep(epoch);
  }
  Epoch(10, 1);
  const Task save = TaskOf(0);
  EXPECT_EQ(save.phase, Phase::kSave);
  EXPECT_FALSE(save.kept);
  EXPECT_EQ(save.epochs, 10u);
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().best_epoch, 10u);
}

TEST_F(EarlyStopJobTest, AFailureToKeepTheBestFailsTheJob) {
  Epoch(1, 8);
  Hand(0, absl::FailedPreconditionError("disk full"));
  ExpectFailed(absl::StatusCode::kFailedPrecondition, "disk full");
}

TEST_F(JobMachineTest, EarlyStopGoesByTheTestDataWhereNothingIsHeldOut) {
  JobPlan plan = kPlan;
  plan.early_stop = EarlyStopPlan{Metric::kRmse, 1};
  Begin(plan);
  Index(PredictionKind::kRegression);
  Prepare();
  Train(1, 10);
  Evaluate();
  EXPECT_EQ(TaskOf(0).phase, Phase::kKeep);
  Hand(0, SaveOutcome{});
  Train(2, 20);
  Evaluate();  // The same score is no better.
  EXPECT_TRUE(TaskOf(0).kept);
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().best_epoch, 1u);
}

TEST_F(JobMachineTest, EarlyStopByWhatTheModelDoesNotHaveFailsTheJob) {
  JobPlan plan = kPlan;
  plan.early_stop = EarlyStopPlan{Metric::kAuc, 1};
  Begin(plan);
  Index(PredictionKind::kRegression);
  Prepare();
  Train(1, 10);
  Evaluate();
  ExpectFailed(absl::StatusCode::kInvalidArgument, "early_stop.metric: epoch 1 has no auc");
}

class LeasingJobTest : public JobMachineTest {
 protected:
  void SetUp() override {
    Begin(With([](JobPlan* plan) {
      plan->leases = true;
      plan->tests = false;
    }));
    Index();
    Prepare();
  }
  // Leases until nothing is left, reporting each lease with the next request.
  size_t LearnAll(uint32_t rank, uint32_t epoch) {
    size_t blocks = 0;
    std::vector<uint64_t> done;
    while (true) {
      auto lease = job_->LeaseBlocks(rank, epoch, done, true);
      EXPECT_OK(lease);
      if (!lease.ok() || lease->id == 0) return blocks;
      blocks += lease->blocks.size();
      done = {lease->id};
    }
  }
};

TEST_F(LeasingJobTest, EveryBlockIsLeasedOnceAnEpoch) {
  for (const uint32_t epoch : {1, 2}) {
    EXPECT_EQ(LearnAll(0, epoch), 4u);
    EXPECT_EQ(LearnAll(1, epoch), 0u);
    Train(epoch, 10 * epoch);
  }
  Hand(0, SaveOutcome{});
  EXPECT_EQ(Done().status, JobDoneEvent::Status::kSucceeded);
}

TEST_F(LeasingJobTest, AResultReportsWhatTheRankStillHolds) {
  for (int i = 0; i < 4; ++i) ASSERT_OK(job_->LeaseBlocks(i % 2, 1, {}, true));
  Train(1, 10);
  EXPECT_EQ(TaskOf(0).epoch, 2u);
}

TEST_F(LeasingJobTest, BlocksLeftOverFailTheJob) {
  ASSERT_OK(job_->LeaseBlocks(0, 1, {}, true));
  Train(1, 10);
  ExpectFailed(absl::StatusCode::kInternal, "3 blocks of the training data were not learned");
}

TEST_F(LeasingJobTest, LeasesOfOtherEpochsAndRanks) {
  EXPECT_FALSE(job_->LeaseBlocks(2, 1, {}, true).ok());
  EXPECT_EQ(job_->LeaseBlocks(0, 2, {}, true).status().code(),
            absl::StatusCode::kFailedPrecondition);
  LearnAll(0, 1);
  Train(1, 10);
  auto old = job_->LeaseBlocks(0, 1, std::vector<uint64_t>{1, 2}, true);  // A late repeat.
  ASSERT_OK(old);
  EXPECT_EQ(old->id, 0u);
  job_->Cancel("stop", Tick());
  EXPECT_THAT(job_->LeaseBlocks(0, 2, {}, true),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("stop")));
}

TEST_F(JobMachineTest, BspLeasesNothing) {
  Begin(kPlan);
  Index();
  Prepare();
  EXPECT_EQ(job_->LeaseBlocks(0, 1, {}, true).status().code(),
            absl::StatusCode::kFailedPrecondition);
}

}  // namespace
}  // namespace seraph
