// SPDX-License-Identifier: Apache-2.0
// From a job file to a scored model, with the commands that a user has.
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr char kTestRows[] = "examples/data/census_148d_test.dummy";

// Trains the census FM and returns the model's folder.
std::string TrainCensus(std::vector<std::string> more) {
  const std::string model = FreshPath("model");
  std::vector<std::string> args = {"train", "examples/census_fm.yaml", "--json",
                                   "--set=train.epochs=2", "--set=output.model=" + model};
  args.insert(args.end(), more.begin(), more.end());
  const CommandResult result = RunSeraph(args);
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.err, "");
  return model;
}

std::string Exported(const std::string& model) {
  const CommandResult result = RunSeraph({"model", "export", "--format", "text", model});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return result.out;
}

TEST(TrainTest, EventsAreAsPromised) {
  const std::string model = FreshPath("model");
  const CommandResult result = RunSeraph({"train", "examples/census_fm.yaml", "--json", "--set",
                                          "train.epochs=2", "--set", "output.model=" + model});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  const std::vector<nlohmann::json> events = result.Events();
  ASSERT_EQ(events.size(), 4u) << result.out;
  EXPECT_EQ(events[0]["event"], "start");
  EXPECT_EQ(events[0]["rows"], 22792);
  EXPECT_EQ(events[0]["servers"], 2);
  EXPECT_EQ(events[0]["workers"], 2);
  EXPECT_EQ(events[1]["event"], "epoch");
  EXPECT_EQ(events[1]["epoch"], 1);
  EXPECT_EQ(events[2]["rows"], 22792);
  EXPECT_LT(events[2]["train_logloss"].get<double>(), events[1]["train_logloss"].get<double>());
  EXPECT_EQ(events[3]["event"], "done");
  EXPECT_EQ(events[3]["status"], "succeeded");
  EXPECT_EQ(events[3]["rows_read"], 2 * 22792);
  EXPECT_EQ(events[3]["rows_skipped"], 0);
  EXPECT_EQ(events[3]["model"], model);
}

TEST(TrainTest, ProcessesGiveTheBitsOfOneProcess) {
  const std::string one = Exported(TrainCensus({"--set=sync.mode=bsp"}));
  const std::string many =
      Exported(TrainCensus({"--set=sync.mode=bsp", "--processes", "--set=cluster.servers=3"}));
  EXPECT_GT(one.size(), 1000u);
  EXPECT_TRUE(one == many);
}

TEST(TrainTest, AModelIsEvaluatedPredictedInspectedAndVerified) {
  const std::string model = TrainCensus({});
  const CommandResult evaluated =
      RunSeraph({"evaluate", "--model", model, "--data", kTestRows, "--json"});
  ASSERT_EQ(evaluated.exit_code, 0) << evaluated.err;
  const nlohmann::json metrics = evaluated.LastEvent();
  EXPECT_EQ(metrics["rows"], 9769);
  EXPECT_GT(metrics["auc"].get<double>(), .91);
  EXPECT_LT(metrics["logloss"].get<double>(), metrics["base_logloss"].get<double>());

  const std::string scores = FreshPath("scores");
  const CommandResult predicted =
      RunSeraph({"predict", "--model", model, "--data", kTestRows, "--output", scores});
  ASSERT_EQ(predicted.exit_code, 0) << predicted.err;
  const std::string text = ReadFile(scores);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 9769);
  const double first = std::stod(text);
  EXPECT_GT(first, 0);
  EXPECT_LT(first, 1);

  EXPECT_THAT(RunSeraph({"model", "inspect", model}).out, HasSubstr("factors"));
  EXPECT_EQ(RunSeraph({"model", "verify", model}).exit_code, 0);
}

TEST(TrainTest, AFlippedByteIsNamed) {
  const std::string model = TrainCensus({});
  std::string damaged;
  const nlohmann::json manifest = nlohmann::json::parse(
      ReadFile(model + "/MANIFEST").substr(ReadFile(model + "/MANIFEST").find('\n') + 1));
  for (const auto& table : manifest["tables"]) {
    if (table["spec"]["name"] == "factors")
      damaged = table["partitions"][3]["file"].get<std::string>();
  }
  ASSERT_NE(damaged, "");
  std::string bytes = ReadFile(model + "/" + damaged);
  bytes[bytes.size() / 2] ^= 1;
  std::FILE* file = std::fopen((model + "/" + damaged).c_str(), "wb");
  ASSERT_NE(file, nullptr);
  std::fwrite(bytes.data(), 1, bytes.size(), file);
  std::fclose(file);
  for (const std::vector<std::string>& args :
       {std::vector<std::string>{"model", "verify", model},
        {"model", "export", model, "--format", "text"},
        {"evaluate", "--model", model, "--data", kTestRows}}) {
    const CommandResult result = RunSeraph(args);
    EXPECT_EQ(result.exit_code, 2) << args[0];
    EXPECT_THAT(result.err, HasSubstr(damaged));
  }
}

TEST(TrainTest, ReplacingAModelLeavesNothingElseBehind) {
  const std::string model = TrainCensus({});
  const std::string before = Exported(model);
  const CommandResult again = RunSeraph({"train", "examples/census_fm.yaml", "--json",
                                         "--set=train.epochs=1", "--set=output.model=" + model});
  ASSERT_EQ(again.exit_code, 0) << again.err;
  EXPECT_NE(Exported(model), before);
  const CommandResult listed = RunCommand({"/bin/sh", "-c", "ls -d " + model + "*"});
  EXPECT_EQ(listed.out, model + "\n");
}

TEST(TrainTest, DryRunPrintsAJobThatReadsBack) {
  const CommandResult dry = RunSeraph({"train", "examples/census_fm.yaml", "--dry-run"});
  ASSERT_EQ(dry.exit_code, 0) << dry.err;
  const std::string job = WriteFile("job.yaml", dry.out);
  const CommandResult again = RunSeraph({"train", job, "--dry-run"});
  EXPECT_EQ(again.exit_code, 0) << again.err;
  EXPECT_EQ(again.out, dry.out);
}

}  // namespace
}  // namespace seraph
