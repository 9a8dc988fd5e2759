// SPDX-License-Identifier: Apache-2.0
// Rows held out for validation, and training that stops when they are no longer predicted better.
#include <filesystem>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "server/checkpoint/model_folder.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

constexpr uint64_t kRows = 22792;  // Of the census's training data.

TEST(ValidationTest, TheSameRowsAreHeldOutInEveryModeAndByAnyNumberOfWorkers) {
  std::vector<uint64_t> held;
  for (const char* mode : {"bsp", "ssp"}) {
    for (const char* workers : {"1", "3"}) {
      std::vector<v1::JobEvent> events;
      const v1::JobDone done = Trained(
          ExampleJob("census_lr", {std::string("sync.mode=") + mode, "train.epochs=2",
                                   std::string("cluster.workers=") + workers, "validation=0.1"}),
          &events);
      held.push_back(done.validation().rows());
      EXPECT_EQ(done.rows_read(), 2 * (kRows - held.back()));
      EXPECT_GT(done.validation().auc(), 0.88);
      EXPECT_EQ(done.test().rows(), 9769u);
      for (const v1::JobEvent& event : events) {
        if (!event.has_epoch()) continue;
        EXPECT_EQ(event.epoch().validation().rows(), held.back());
      }
    }
  }
  EXPECT_NEAR(static_cast<double>(held[0]), 0.1 * kRows, 200);
  EXPECT_EQ(held, std::vector<uint64_t>(4, held[0]));
}

TEST(ValidationTest, MetricsDoNotDependOnWhoScores) {
  const v1::JobSpec trained = ExampleJob("census_lr", {"train.epochs=1", "validation=0.2"});
  Trained(trained);
  const auto run = [&trained](const char* workers) {
    return Trained(ExampleJob("census_lr",
                              {"train.epochs=1", "optimizer.learning_rate=1e-30", "validation=0.2",
                               workers, "train.start_from=" + trained.output().model()}))
        .validation();
  };
  const v1::Metrics one = run("cluster.workers=1");
  const v1::Metrics four = run("cluster.workers=4");
  EXPECT_EQ(one.logloss(), four.logloss());
  EXPECT_EQ(one.auc(), four.auc());
  EXPECT_EQ(one.accuracy(), four.accuracy());
}

// Whatever lies beside the model under a name that begins like its own.
std::vector<std::string> LeftBeside(const std::string& model) {
  const std::filesystem::path place(model);
  std::vector<std::string> left;
  for (const auto& entry : std::filesystem::directory_iterator(place.parent_path())) {
    const std::string name = entry.path().filename().string();
    if (name.find(place.filename().string() + ".") == 0) left.push_back(name);
  }
  return left;
}

TEST(EarlyStopTest, TheModelIsThatOfTheBestEpoch) {
  const std::vector<std::string> overfits = {"optimizer.learning_rate=0.3", "train.batch_size=64",
                                             "validation=0.2"};
  const auto job = [&overfits](std::vector<std::string> more) {
    more.insert(more.end(), overfits.begin(), overfits.end());
    return ExampleJob("census_fm", more);
  };
  const v1::JobSpec stopped = job({"train.epochs=20", "early_stop={metric: logloss, patience: 2}"});
  std::vector<v1::JobEvent> events;
  const v1::JobDone done = Trained(stopped, &events);
  EXPECT_LT(done.epochs(), 20u);
  ASSERT_GT(done.best_epoch(), 0u);
  EXPECT_EQ(done.epochs(), done.best_epoch() + 2);
  for (const v1::JobEvent& event : events) {
    if (!event.has_epoch()) continue;
    EXPECT_GE(event.epoch().validation().logloss(), done.validation().logloss());
    if (event.epoch().epoch() != done.best_epoch()) continue;
    EXPECT_EQ(event.epoch().test().logloss(), done.test().logloss());
  }

  const v1::JobSpec short_job = job({"train.epochs=" + std::to_string(done.best_epoch())});
  const v1::JobDone expected = Trained(short_job);
  EXPECT_EQ(ReadModelBits(stopped.output().model()), ReadModelBits(short_job.output().model()));
  EXPECT_EQ(done.test().auc(), expected.test().auc());
  const auto fs = NewPosixFileSystem();
  const auto manifest = ReadManifest(*fs, stopped.output().model());
  ASSERT_OK(manifest);
  EXPECT_EQ(manifest->epochs(), done.best_epoch());
  EXPECT_EQ(manifest->steps(), ReadManifest(*fs, short_job.output().model())->steps());
  EXPECT_TRUE(LeftBeside(stopped.output().model()).empty());
}

TEST(EarlyStopTest, ACancelledJobLeavesTheOldModelInPlaceAndNothingBeside) {
  const v1::JobSpec old = ExampleJob("census_lr", {"train.epochs=1"});
  Trained(old);
  const ModelBits before = ReadModelBits(old.output().model());
  v1::JobSpec job = ExampleJob(
      "census_lr", {"train.epochs=1000000", "validation=0.1", "early_stop={patience: 1000000}"});
  job.mutable_output()->set_model(old.output().model());
  {
    TestCluster cluster({.servers = 2, .workers = 2});
    const auto id = cluster.Submit(job);
    ASSERT_OK(id);
    // The first epoch's model is kept when the second epoch is over.
    uint32_t epochs = 0;
    v1::WatchJob watch;
    watch.set_job(*id);
    watch.set_timeout_s(1);
    while (epochs < 2) {
      const auto reply = cluster.agent()->WatchJob(watch, absl::Seconds(60));
      ASSERT_OK(reply);
      for (const v1::JobEvent& event : reply->events()) {
        ASSERT_FALSE(event.has_done()) << event.done().error();
        watch.set_after(event.number());
        if (event.has_epoch()) epochs = event.epoch().epoch();
      }
    }
    ASSERT_OK(cluster.agent()->CancelJob(*id, "enough", absl::Seconds(60)));
    const auto done = cluster.Wait(*id);
    ASSERT_OK(done);
    EXPECT_EQ(done->status(), v1::JobDone::CANCELLED);
  }
  EXPECT_EQ(ReadModelBits(old.output().model()), before);
  EXPECT_TRUE(LeftBeside(old.output().model()).empty());
}

}  // namespace
}  // namespace seraph
