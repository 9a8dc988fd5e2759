// SPDX-License-Identifier: Apache-2.0
// Commands at the ends of pipes, as a shell joins them.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr char kTestRows[] = "examples/data/census_148d_test.dummy";

// What `seraph WORDS | READER` prints, then the exit code of seraph.
CommandResult RunPiped(const std::string& words, const std::string& reader) {
  return RunCommand(
      {"/bin/bash", "-c",
       absl::StrCat(SeraphBinary(), " ", words, " | ", reader, "; echo exit ${PIPESTATUS[0]}")});
}

std::string TrainCensus() {
  const std::string model = FreshPath("model");
  const CommandResult result = RunSeraph(
      {"train", "examples/census_lr.yaml", "--set=train.epochs=1", "--set=output.model=" + model});
  EXPECT_EQ(result.exit_code, 0) << result.err;
  return model;
}

TEST(PipesTest, AReaderThatGoesAwayEndsACommandInSilence) {
  const std::string model = TrainCensus();
  const std::string data = absl::StrCat(" --data ", kTestRows);
  const CommandResult scores =
      RunPiped(absl::StrCat("predict --output - --model ", model, data, data, data), "head -n 1");
  EXPECT_THAT(scores.out, HasSubstr("\nexit 141\n"));
  EXPECT_EQ(scores.err, "");
  const CommandResult weights =
      RunPiped(absl::StrCat("model export --format text ", model), "true");
  EXPECT_EQ(weights.out, "exit 141\n");
  EXPECT_EQ(weights.err, "");
}

TEST(PipesTest, AJobWhoseReaderHasGoneIsTrainedToItsEnd) {
  const std::string model = FreshPath("model");
  const CommandResult result = RunPiped(
      absl::StrCat("train examples/census_lr.yaml --json --set output.model=", model), "true");
  EXPECT_EQ(result.out, "exit 141\n");
  EXPECT_EQ(result.err, "");
  EXPECT_EQ(RunSeraph({"model", "verify", model}).exit_code, 0);
}

TEST(PipesTest, OutputThatIsLostOtherwiseIsAnError) {
  const CommandResult result = RunPiped(
      absl::StrCat("evaluate --model ", TrainCensus(), " --data ", kTestRows, " > /dev/full"),
      "cat");
  EXPECT_EQ(result.out, "exit 2\n");
  EXPECT_THAT(result.err, HasSubstr("error: standard output: cannot be written"));
}

TEST(PipesTest, APipeIsNoDataAndIsNotWaitedFor) {
  const std::string pipe = FreshPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string model = TrainCensus();
  for (const CommandResult& result :
       {RunSeraph({"evaluate", "--model", model, "--data", pipe}),
        RunSeraph({"predict", "--model", model, "--data", pipe, "--output", "-"}),
        RunSeraph({"data", "inspect", pipe}),
        RunSeraph({"train", "examples/census_lr.yaml", "--set=data.train=" + pipe})}) {
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr(pipe + ": it is not a regular file"));
  }
}

TEST(PipesTest, AJobMayComeFromAPipeWhoseWriterIsLate) {
  const std::string pipe = FreshPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Command train({SeraphBinary(), "train", "--dry-run", pipe});
  const int writer = ::open(pipe.c_str(), O_WRONLY);  // Waits for the reader.
  const std::string job =
      absl::StrCat("model: {type: lr}\ndata: {train: \"",
                   std::filesystem::absolute(kTestRows).string(), "\", format: dummy}\n");
  EXPECT_EQ(::write(writer, job.data(), job.size()), static_cast<ssize_t>(job.size()));
  ::close(writer);
  const CommandResult result = train.Wait();
  EXPECT_EQ(result.exit_code, 0) << result.err;
  EXPECT_THAT(result.out, HasSubstr("9,769 rows"));
}

TEST(PipesTest, AJobMayComeFromACommandThatHasEndedBefore) {
  const CommandResult result =
      RunCommand({"/bin/bash", "-c",
                  absl::StrCat(SeraphBinary(), " train <(echo 'model: {type: nonesuch}')")});
  EXPECT_EQ(result.exit_code, 2);
  EXPECT_THAT(result.err, HasSubstr("nonesuch"));
}

TEST(PipesTest, ASignalEndsTheWaitForAJobThatNobodyWrites) {
  const std::string pipe = FreshPath("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Command train({SeraphBinary(), "train", pipe});
  const int writer = ::open(pipe.c_str(), O_WRONLY);  // Waits for the reader.
  train.Signal(SIGTERM);
  const CommandResult result = train.Wait(absl::Seconds(5));
  ::close(writer);
  EXPECT_EQ(result.exit_code, 143);
  EXPECT_EQ(result.err, absl::StrCat("error: ", pipe, ": terminated by SIGTERM\n"));
}

}  // namespace
}  // namespace seraph
