// SPDX-License-Identifier: Apache-2.0
// Wrong requests: exit code and message, in time, with nothing written.
#include <signal.h>

#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "absl/strings/str_split.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::StartsWith;

class BadInputTest : public ::testing::Test {
 protected:
  // A small job on `rows` in libsvm, base 1, with `more` as further flags.
  CommandResult Train(const std::string& rows, std::vector<std::string> more = {}) {
    return TrainFile(WriteFile("rows.libsvm", rows), std::move(more));
  }
  CommandResult TrainFile(const std::string& path, std::vector<std::string> more = {}) {
    model_ = FreshPath("model");
    const std::string job = WriteFile(
        "job.yaml",
        absl::StrCat("name: small\nmodel: {type: lr}\ndata: {train: [\"", path,
                     "\"], format: libsvm, index_base: 1}\ntrain: {epochs: 2, batch_size: 2}\n",
                     "cluster: {servers: 1, workers: 2}\noutput: {model: \"", model_, "\"}\n"));
    std::vector<std::string> args = {"train", job};
    args.insert(args.end(), more.begin(), more.end());
    return RunSeraph(args, absl::Seconds(60));
  }

  // An error by the book: one line "error: ", then at most one "hint: ", nothing else; no model.
  void ExpectRefused(const CommandResult& result, int code,
                     const ::testing::Matcher<std::string>& message) {
    EXPECT_EQ(result.exit_code, code) << result.err;
    const std::vector<std::string> lines = absl::StrSplit(result.err, '\n', absl::SkipEmpty());
    ASSERT_GE(lines.size(), 1u);
    ASSERT_LE(lines.size(), 2u) << result.err;
    EXPECT_THAT(lines[0], AllOf(StartsWith("error: "), message));
    if (lines.size() == 2) {
      EXPECT_THAT(lines[1], StartsWith("hint: "));
    }
    EXPECT_FALSE(std::filesystem::exists(model_)) << "a model was written";
  }

  std::string model_ = "/nonexistent";
};

constexpr char kGoodRows[] = "1 1:1 2:1\n0 2:1\n1 1:1\n0 3:1\n";

TEST_F(BadInputTest, GoodRowsTrain) {
  const CommandResult result = Train(kGoodRows);
  EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST_F(BadInputTest, AnUnknownKeyComesWithTheNearestName) {
  const std::string job = WriteFile("job.yaml", "name: x\nmodel: {type: lr, factor: 3}\n");
  ExpectRefused(RunSeraph({"train", job}), 2,
                AllOf(HasSubstr("job.yaml:2"), HasSubstr("factor"), HasSubstr("factors")));
}

TEST_F(BadInputTest, WrongTypesAndImpossibleValuesAreNamed) {
  ExpectRefused(Train(kGoodRows, {"--set=train.epochs=many"}), 2, HasSubstr("epochs"));
  ExpectRefused(Train(kGoodRows, {"--set=train.batch_size=0"}), 2, HasSubstr("batch_size"));
  ExpectRefused(Train(kGoodRows, {"--set=optimizer.learning_rate=-1"}), 2,
                HasSubstr("learning_rate"));
  ExpectRefused(Train(kGoodRows, {"--set=model.type=lrr"}), 2,
                AllOf(HasSubstr("lrr"), HasSubstr("lr")));
  ExpectRefused(Train(kGoodRows, {"--set=cluster.replicas=1"}), 2, HasSubstr("replicas"));
}

TEST_F(BadInputTest, MissingAndEmptyFilesAreNamed) {
  ExpectRefused(TrainFile("/nonexistent/rows.libsvm"), 2, HasSubstr("/nonexistent/rows.libsvm"));
  ExpectRefused(Train(""), 2, HasSubstr("rows.libsvm"));
  ExpectRefused(Train("\n\n# nothing\n"), 2, HasSubstr("rows.libsvm"));
  ExpectRefused(RunSeraph({"train", "/nonexistent/job.yaml"}), 2,
                HasSubstr("/nonexistent/job.yaml"));
}

TEST_F(BadInputTest, BadRowsAreNamedByFileAndLine) {
  ExpectRefused(Train("1 1:1\n7 2:1\n"), 2, AllOf(HasSubstr("rows.libsvm:2"), HasSubstr("label")));
  ExpectRefused(Train("1 1:1\n0 0:1\n"), 2, AllOf(HasSubstr("rows.libsvm:2"), HasSubstr("index")));
  ExpectRefused(Train("1 1:nan\n0 1:1\n"), 2, AllOf(HasSubstr("rows.libsvm:1"), HasSubstr("nan")));
}

TEST_F(BadInputTest, BadRowsMaySkipAndAreCounted) {
  const CommandResult result =
      Train("1 1:1\n7 2:1\n0 2:1\nrubbish\n",
            {"--set=data.on_bad_row=skip", "--set=train.epochs=1", "--json"});
  ASSERT_EQ(result.exit_code, 0) << result.err;
  EXPECT_EQ(result.LastEvent()["rows_read"], 2);
  EXPECT_EQ(result.LastEvent()["rows_skipped"], 2);
  ExpectRefused(
      Train("1 1:1\n7 2:1\n0 2:1\nrubbish\n",
            {"--set=data.on_bad_row=skip", "--set=data.max_bad_rows=1", "--set=cluster.workers=1"}),
      2, HasSubstr("rows.libsvm"));
}

TEST_F(BadInputTest, DivergenceNamesStepAndTable) {
  const CommandResult result =
      Train("1 1:1e30\n0 1:-1e30 2:1e30\n1 2:1e30\n",
            {"--set=optimizer={type: sgd, learning_rate: 1e30}", "--json"});
  EXPECT_EQ(result.LastEvent()["status"], "failed");
  ExpectRefused(result, 1, AllOf(HasSubstr("diverged"), HasSubstr("step"), HasSubstr("table")));
}

TEST_F(BadInputTest, AFolderThatIsNoModelIsNotReplaced) {
  const std::string folder = FreshPath("precious");
  std::filesystem::create_directory(folder);
  std::filesystem::create_directory(folder + "/keep");
  ExpectRefused(Train(kGoodRows, {"--set=output.model=" + folder}), 2, HasSubstr(folder));
  EXPECT_TRUE(std::filesystem::exists(folder + "/keep"));
}

TEST_F(BadInputTest, AnOutputThatCannotBeWrittenIsNamed) {
  ExpectRefused(Train(kGoodRows, {"--set=output.model=/proc/model"}), 2, HasSubstr("/proc/model"));
}

TEST_F(BadInputTest, AModelOfAnotherVersionOrCutIsRefused) {
  ASSERT_EQ(Train(kGoodRows).exit_code, 0);
  const std::string good = model_;
  const std::string manifest = ReadFile(good + "/MANIFEST");
  const std::string rows = WriteFile("rows.libsvm", kGoodRows);
  model_ = "/nonexistent";
  const auto damage = [&](const std::string& text) {
    std::FILE* file = std::fopen((good + "/MANIFEST").c_str(), "wb");
    std::fwrite(text.data(), 1, text.size(), file);
    std::fclose(file);
    return RunSeraph({"evaluate", "--model", good, "--data", rows});
  };
  ExpectRefused(damage(absl::StrReplaceAll(manifest, {{"seraph-model 1", "seraph-model 9"}})), 2,
                HasSubstr("version"));
  ExpectRefused(damage(manifest.substr(0, manifest.size() / 2)), 2, HasSubstr("MANIFEST"));
  ExpectRefused(damage(""), 2, HasSubstr("MANIFEST"));
  ExpectRefused(RunSeraph({"evaluate", "--model", "/nonexistent/m", "--data", rows}), 2,
                HasSubstr("/nonexistent/m"));
}

TEST_F(BadInputTest, DaemonsNameWhatTheyCannotReach) {
  const std::string worker = std::filesystem::absolute("worker/seraph_worker").string();
  const std::string scheduler = std::filesystem::absolute("scheduler/seraph_scheduler").string();
  ExpectRefused(RunCommand({worker, "--scheduler=127.0.0.1:1"}, absl::Seconds(30)), 3,
                HasSubstr("127.0.0.1:1"));
  ExpectRefused(RunCommand({worker, "--sheduler=127.0.0.1:1"}), 2,
                AllOf(HasSubstr("sheduler"), HasSubstr("scheduler")));
  Command first({scheduler, "--listen=127.0.0.1:0"});
  ASSERT_TRUE(first.AwaitOut("\n"));
  const std::string line = first.OutSoFar();
  const size_t at = line.find("127.0.0.1:");
  ASSERT_NE(at, std::string::npos) << line;
  const std::string address = line.substr(at, line.find_first_of(" \n", at) - at);
  ExpectRefused(RunCommand({scheduler, "--listen=" + address}), 3, HasSubstr(address));
}

TEST_F(BadInputTest, PredictionsAreNotHalfWritten) {
  ASSERT_EQ(Train(kGoodRows).exit_code, 0);
  const std::string model = std::exchange(model_, "/nonexistent");
  const std::string output = FreshPath("scores");
  ExpectRefused(RunSeraph({"predict", "--model", model, "--data",
                           WriteFile("bad.libsvm", "1 1:1\nrubbish\n"), "--output", output}),
                2, HasSubstr("bad.libsvm:2"));
  EXPECT_FALSE(std::filesystem::exists(output));
}

}  // namespace
}  // namespace seraph
