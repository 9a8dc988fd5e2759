// SPDX-License-Identifier: Apache-2.0
// Every file of ../shared/data/nasty through train, evaluate and predict: rows where there are
// rows, else an error that names file and line, and nothing written. Skipped where
// SERAPH_SHARED_DATA does not say where they lie.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <sstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/cli.h"
#include "client/cli/json_line.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/nasty/nasty_cases.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

// A folder, and commands that run in this process.
class Commands {
 public:
  Commands() {
    folder_ = absl::StrCat(::testing::TempDir(), "/nasty_commands");
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    context_.terminal = {&out_, &err_};
    context_.clock = &clock_;
    context_.files = files_.get();
    context_.cores = 2;
  }
  ~Commands() { std::filesystem::remove_all(folder_); }

  int Run(const std::vector<std::string>& words) {
    out_.str("");
    err_.str("");
    return RunCli(words, context_);
  }
  std::string out() const { return out_.str(); }
  std::string err() const { return err_.str(); }
  // Lines of --json output. JSON has no NaN: such a number would not parse.
  std::vector<Json> Events() const {
    std::vector<Json> events;
    for (const auto line : absl::StrSplit(out_.str(), '\n', absl::SkipEmpty())) {
      events.push_back(Json::parse(std::string(line)));
    }
    return events;
  }

  std::string Path(const std::string& name) const { return absl::StrCat(folder_, "/", name); }
  std::string Write(const std::string& name, const std::string& text) const {
    std::ofstream(Path(name), std::ios::binary) << text;
    return Path(name);
  }

 private:
  std::string folder_;
  SystemClock clock_;
  std::unique_ptr<FileSystem> files_ = NewPosixFileSystem();
  std::ostringstream out_, err_;
  CommandContext context_;
};

std::vector<std::string> Lines(const std::string& path) {
  std::ifstream file(path);
  const std::string text(std::istreambuf_iterator<char>(file), {});
  return absl::StrSplit(text, '\n', absl::SkipEmpty());
}

class NastyCommandsTest : public ::testing::TestWithParam<NastyCase> {
 protected:
  void SetUp() override {
    const auto folder = NastyFolder();
    if (!folder.has_value()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
    data_ = *folder + GetParam().path;
    model_ = commands_.Path("model");
  }

  int Train(const NastyCase& nasty, const std::string& data) {
    return commands_.Run(
        {"train", commands_.Write("job.yaml", JobOf(nasty, data, model_)), "--json"});
  }
  int Score(std::vector<std::string> words) {
    words.insert(words.end(), {"--model", model_, "--data", data_});
    if (!GetParam().offered) {
      words.insert(words.end(), {"--format", GetParam().data.substr(sizeof("format: ") - 1)});
    }
    return commands_.Run(words);
  }

  // One error line that says what the case states, in printable characters.
  void ExpectRefused(int exit_code, const NastyOutcome& outcome) const {
    EXPECT_EQ(exit_code, 2);
    const std::string err = commands_.err();
    EXPECT_THAT(err, AllOf(StartsWith("error: "), HasSubstr(outcome.error)));
    if (outcome.line > 0) {
      EXPECT_THAT(err, HasSubstr(absl::StrCat(data_, ":", outcome.line, ": ")));
    }
    for (const char c : err) EXPECT_TRUE((c >= ' ' && c < '\x7f') || c == '\n') << err;
    EXPECT_LE(std::count(err.begin(), err.end(), '\n'), 2) << err;
  }

  void ExpectTrained(int exit_code, const NastyOutcome& outcome) const {
    ASSERT_EQ(exit_code, 0) << commands_.err();
    const std::vector<Json> events = commands_.Events();
    EXPECT_EQ(events.front()["rows"], outcome.rows + outcome.skipped);
    EXPECT_EQ(events.back()["rows_read"], outcome.rows);
    EXPECT_EQ(events.back()["rows_skipped"], outcome.skipped);
    EXPECT_TRUE(std::filesystem::exists(model_));
  }

  void ExpectEvaluated(int exit_code, const NastyOutcome& outcome) const {
    ASSERT_EQ(exit_code, 0) << commands_.err();
    const Json found = commands_.Events().at(0);
    EXPECT_EQ(found["rows"], outcome.rows);
    EXPECT_EQ(found["rows_skipped"], outcome.skipped);
    const char* const metric = found.contains("rmse") ? "rmse" : "logloss";
    EXPECT_TRUE(std::isfinite(found[metric].get<double>())) << commands_.out();
  }

  void ExpectPredicted(int exit_code, const NastyOutcome& outcome,
                       const std::string& scores) const {
    ASSERT_EQ(exit_code, 0) << commands_.err();
    const std::vector<std::string> lines = Lines(scores);
    EXPECT_EQ(lines.size(), outcome.rows);
    for (const std::string& line : lines) EXPECT_TRUE(std::isfinite(std::stod(line))) << line;
  }

  // Whose rows are all bad has nothing to learn from.
  static NastyOutcome OfCommands(const NastyOutcome& outcome) {
    if (!outcome.error.empty() || outcome.rows > 0) return outcome;
    return {.error = absl::StrCat("all ", outcome.skipped, " rows")};
  }

  Commands commands_;
  std::string data_;
  std::string model_;
};

TEST_P(NastyCommandsTest, TrainsEvaluatesAndPredictsOrSaysWhyNot) {
  const NastyCase& nasty = GetParam();
  const NastyOutcome outcome = OfCommands(nasty.outcome);
  const int trained = Train(nasty, data_);
  if (outcome.error.empty()) {
    ExpectTrained(trained, outcome);
  } else {
    ExpectRefused(trained, outcome);
    EXPECT_EQ(commands_.Events().back()["status"], "failed");
    EXPECT_FALSE(std::filesystem::exists(model_));
    // A model of good rows that are read alike scores the file.
    NastyCase good = nasty;
    if (!nasty.offered) good.data = nasty.good_data;
    ASSERT_EQ(Train(good, commands_.Write("good", nasty.good_rows)), 0) << commands_.err();
  }
  const int evaluated = Score({"evaluate", "--json"});
  if (outcome.error.empty()) {
    ExpectEvaluated(evaluated, outcome);
  } else {
    ExpectRefused(evaluated, outcome);
  }
  const std::string scores = commands_.Path("scores");
  const NastyOutcome prediction = nasty.predict.value_or(outcome);
  const int predicted = Score({"predict", "--output", scores});
  if (prediction.error.empty()) {
    ExpectPredicted(predicted, prediction, scores);
  } else {
    ExpectRefused(predicted, prediction);
    EXPECT_FALSE(std::filesystem::exists(scores));
  }
}

INSTANTIATE_TEST_SUITE_P(Nasty, NastyCommandsTest, ::testing::ValuesIn(NastyCases()),
                         [](const auto& info) { return NameOf(info.param); });

// What single cases ask for beyond rows and errors.
class NastyModelsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = NastyFolder();
    if (!folder.has_value()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
    folder_ = *folder;
  }
  // Returns the saved model's folder.
  std::string Train(const std::string& file, const std::string& data = "index_base: 1",
                    const std::string& model = "lr") {
    const NastyCase nasty{.number = 0,
                          .name = "",
                          .path = file,
                          .data = "format: libsvm, " + data,
                          .outcome = {},
                          .model = model};
    const std::string job =
        commands_.Write("job.yaml", JobOf(nasty, folder_ + file, commands_.Path("model")));
    EXPECT_EQ(commands_.Run({"train", job}), 0) << commands_.err();
    return commands_.Path("model");
  }
  std::string Predict(const std::string& model, const std::string& data) {
    EXPECT_EQ(commands_.Run({"predict", "--model", model, "--data", data, "--output", "-"}), 0)
        << commands_.err();
    return commands_.out();
  }
  std::string Exported(const std::string& model) {
    EXPECT_EQ(commands_.Run({"model", "export", model, "--format", "text"}), 0) << commands_.err();
    return commands_.out();
  }

  std::string folder_;
  Commands commands_;
};

TEST_F(NastyModelsTest, Case03RepeatedIndicesSumInEveryPath) {
  const std::string model = Train("03_dup_index.libsvm");
  EXPECT_EQ(Predict(model, commands_.Write("repeated", "0 1:1 2:1 1:2\n")),
            Predict(model, commands_.Write("summed", "0 1:3 2:1\n")));
}

TEST_F(NastyModelsTest, Case04UnsortedRowsMakeTheModelOfSortedOnes) {
  const std::string unsorted = Exported(Train("04_unsorted.libsvm"));
  std::string sorted;
  for (const std::string& line : Lines(folder_ + "04_unsorted.libsvm")) {
    std::vector<std::string> tokens = absl::StrSplit(line, ' ', absl::SkipEmpty());
    std::sort(tokens.begin() + 1, tokens.end(), [](const std::string& a, const std::string& b) {
      return std::stoull(a) < std::stoull(b);
    });
    for (const std::string& token : tokens) absl::StrAppend(&sorted, token, " ");
    sorted += "\n";
  }
  folder_ = "";
  EXPECT_EQ(Exported(Train(commands_.Write("sorted", sorted))), unsorted);
}

TEST_F(NastyModelsTest, Case05RowsWithoutFeaturesScoreAsTheBias) {
  const std::string model = Train("05_label_only.libsvm");
  const std::vector<std::string> scores =
      absl::StrSplit(Predict(model, folder_ + "05_label_only.libsvm"), '\n', absl::SkipEmpty());
  ASSERT_EQ(scores.size(), 4u);
  EXPECT_EQ(scores[1], scores[3]);
  EXPECT_EQ(Predict(model, commands_.Write("empty", "0\n")), scores[1] + "\n");
}

TEST_F(NastyModelsTest, Case19NoKeysOf64BitsAreMerged) {
  const std::string exported = Exported(Train("19_index_64bit.libsvm", "index_base: 0"));
  for (const char* key : {"4294967295", "4294967296", "4294967297", "72048431380967004",
                          "9223372036854775808", "18446744073709551615"}) {
    EXPECT_THAT(exported, HasSubstr(absl::StrCat("weights\t", key, "\t")));
  }
  EXPECT_EQ(std::count(exported.begin(), exported.end(), '\n'), 1 + 6);  // The bias, too.
}

TEST_F(NastyModelsTest, Case37OneClassHasNoAuc) {
  const std::string model = Train("37_one_class.libsvm");
  ASSERT_EQ(commands_.Run({"evaluate", "--model", model, "--data", folder_ + "37_one_class.libsvm",
                           "--json"}),
            0);
  EXPECT_TRUE(commands_.Events()[0]["auc"].is_null());
  ASSERT_EQ(
      commands_.Run({"evaluate", "--model", model, "--data", folder_ + "37_one_class.libsvm"}), 0);
  EXPECT_THAT(commands_.out(), AllOf(HasSubstr("undefined"), Not(HasSubstr("nan"))));
}

TEST_F(NastyModelsTest, Case38TheLateLargestIndexIsLearned) {
  EXPECT_THAT(Exported(Train("38_late_max_index.libsvm")), HasSubstr("weights\t499999\t"));
}

TEST_F(NastyModelsTest, Case39TestsNarrowerAndWiderThanTrainingScore) {
  for (const char* type : {"lr", "fm"}) {
    const std::string model = Train("39_width/train.libsvm", "index_base: 1", type);
    const std::string narrow = Predict(model, folder_ + "39_width/test_narrow.libsvm");
    // The wide one has the narrow one's feature and one that training has not seen.
    EXPECT_EQ(Predict(model, folder_ + "39_width/test_wide.libsvm"), narrow) << type;
  }
}

}  // namespace
}  // namespace seraph
