// SPDX-License-Identifier: Apache-2.0
// The words of the command line, and whole commands in this process.
#include "client/cli/cli.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_split.h"
#include "client/cli/json_line.h"

namespace seraph {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::StartsWith;

class CliTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "cli_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    context_.terminal = {&out_, &err_, false};
    context_.clock = &clock_;
    context_.files = files_.get();
    context_.executable = folder_ + "/seraph";
    context_.cores = 2;
    context_.interrupted = [this] { return signal_; };
  }

  int Run(const std::vector<std::string>& words) {
    out_.str("");
    err_.str("");
    return RunCli(words, context_);
  }
  std::string Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
    return folder_ + "/" + name;
  }
  std::string Read(const std::string& name) const {
    std::ifstream file(folder_ + "/" + name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  std::vector<Json> Events() const {
    std::vector<Json> events;
    for (const auto line : absl::StrSplit(out_.str(), '\n', absl::SkipEmpty())) {
      events.push_back(Json::parse(std::string(line)));
    }
    return events;
  }

  // 300 rows whose label is that of feature 1 (positive) or 2, and a job on them.
  std::string WriteJob(const std::string& more = "") {
    std::string rows;
    for (int i = 0; i < 300; ++i) {
      rows += i % 3 == 0 ? "1 1:1 3:0.5\n" : "-1 2:1 3:0.25\n";
    }
    Write("train.libsvm", rows);
    Write("test.dummy", "1 0\n\n# a comment\n0 1\n1 0 2\n");
    return Write("job.yaml",
                 "name: tiny\nmodel: {type: lr}\n"
                 "data: {train: train.libsvm, test: {path: test.dummy, format: dummy}, "
                 "format: libsvm, index_base: 1}\n"
                 "train: {epochs: 2, batch_size: 32}\noutput: {model: model}\n" +
                     more);
  }

  std::string folder_;
  SystemClock clock_;
  std::unique_ptr<FileSystem> files_ = NewPosixFileSystem();
  std::ostringstream out_, err_;
  std::optional<int> signal_;
  CommandContext context_;
};

TEST_F(CliTest, HelpAndVersionAreExitZero) {
  EXPECT_EQ(Run({"--help"}), 0);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("train"), HasSubstr("predict"), HasSubstr("model")));
  EXPECT_EQ(Run({"train", "--help"}), 0);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("--dry-run"), HasSubstr("--set")));
  EXPECT_EQ(Run({"--version"}), 0);
  EXPECT_THAT(out_.str(), StartsWith("seraph "));
  EXPECT_EQ(err_.str(), "");
}

TEST_F(CliTest, UnknownWordsNameTheNearestValidOne) {
  EXPECT_EQ(Run({"trian", "job.yaml"}), 2);
  EXPECT_EQ(err_.str(), "error: seraph: unknown command trian\nhint: did you mean train?\n");
  EXPECT_EQ(Run({"train", "job.yaml", "--proceses"}), 2);
  EXPECT_EQ(err_.str(),
            "error: seraph train: unknown flag --proceses\nhint: did you mean --processes?\n");
  EXPECT_EQ(Run({"model", "inspct", "x"}), 2);
  EXPECT_EQ(err_.str(),
            "error: seraph model: unknown command inspct\nhint: did you mean inspect?\n");
  EXPECT_EQ(Run({"submit", "x"}), 2);
  EXPECT_THAT(err_.str(), StartsWith("error: seraph: unknown command submit\nhint: "));
}

TEST_F(CliTest, MissingWordsAreExitTwo) {
  for (const std::vector<std::string>& words : std::vector<std::vector<std::string>>{
           {},
           {"train"},
           {"model"},
           {"predict", "--model", "m", "--data", "d"},
           {"evaluate", "--data", "d"},
           {"evaluate", "--model", "m", "--data", "d", "--index-base", "2"},
           {"train", "a", "b"}}) {
    EXPECT_EQ(Run(words), 2) << testing::PrintToString(words);
    EXPECT_THAT(err_.str(), AllOf(StartsWith("error: seraph"), HasSubstr("\nhint: ")));
    EXPECT_EQ(out_.str(), "");
  }
}

TEST_F(CliTest, AWrongJobIsExitTwoWithItsLine) {
  const std::string job = WriteJob("syncc: {}\n");
  EXPECT_EQ(Run({"train", job}), 2);
  EXPECT_EQ(err_.str(), "error: " + job + ":6: syncc: unknown key, did you mean \"sync\"?\n");
  EXPECT_EQ(Run({"train", job, "--json"}), 2);
  ASSERT_EQ(Events().size(), 1u);
  EXPECT_EQ(Events()[0]["status"], "failed");
  EXPECT_EQ(Run({"train", folder_ + "/none.yaml"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("none.yaml: no such job file"));
}

TEST_F(CliTest, DryRunPrintsAJobThatReadsBack) {
  const std::string job = WriteJob();
  EXPECT_EQ(Run({"train", job, "--dry_run", "--set=train.batch_size=7"}), 0) << err_.str();
  EXPECT_THAT(out_.str(),
              AllOf(HasSubstr("batch_size: 7"), HasSubstr("# expected to train on: 300 rows")));
  const std::string resolved = Write("resolved.yaml", out_.str());
  const std::string first = out_.str();
  EXPECT_EQ(Run({"train", resolved, "--dry-run"}), 0) << err_.str();
  EXPECT_EQ(out_.str(), first);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/model"));

  EXPECT_EQ(Run({"train", job, "--dry-run", "--json"}), 0) << err_.str();
  ASSERT_EQ(Events().size(), 1u);
  EXPECT_EQ(Events()[0]["rows"], 300);
  EXPECT_EQ(Events()[0]["test_rows"], 3);
  EXPECT_EQ(Events()[0]["features"], 3);
  EXPECT_EQ(Events()[0]["job"]["train"]["epochs"], 2);
}

TEST_F(CliTest, DryRunFindsBadRows) {
  const std::string job = WriteJob();
  Write("train.libsvm", "1 1:1\n1 0:1\n");
  EXPECT_EQ(Run({"train", job, "--dry-run"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("train.libsvm:2: "));
}

TEST_F(CliTest, TrainsEvaluatesAndPredicts) {
  const std::string job = WriteJob();
  ASSERT_EQ(Run({"train", job, "--json", "--set", "train.seed=3"}), 0) << err_.str();
  const std::vector<Json> events = Events();
  ASSERT_EQ(events.size(), 4u) << out_.str();
  EXPECT_EQ(events[0]["event"], "start");
  EXPECT_EQ(events[0]["job"], "tiny");
  EXPECT_EQ(events[0]["rows"], 300);
  EXPECT_EQ(events[1]["event"], "epoch");
  EXPECT_EQ(events[2]["epoch"], 2);
  EXPECT_EQ(events[2]["test_auc"], 1.0);
  EXPECT_EQ(events[3]["status"], "succeeded");
  EXPECT_EQ(events[3]["rows_read"], 600);
  EXPECT_EQ(events[3]["servers"].size(), 2u);
  EXPECT_EQ(err_.str(), "");

  ASSERT_EQ(
      Run({"evaluate", "--model", folder_ + "/model", "--data", folder_ + "/test.dummy", "--json"}),
      0)
      << err_.str();
  EXPECT_EQ(Events()[0]["rows"], 3);
  EXPECT_EQ(Events()[0]["auc"], 1.0);
  EXPECT_EQ(Events()[0]["logloss"], events[2]["test_logloss"]);

  ASSERT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", folder_ + "/test.dummy",
                 "--output", folder_ + "/scores"}),
            0)
      << err_.str();
  const std::string scores = Read("scores");
  const std::vector<std::string> lines = absl::StrSplit(scores, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_GT(std::stod(lines[0]), 0.5);
  EXPECT_LT(std::stod(lines[1]), 0.5);
  ASSERT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", folder_ + "/test.dummy",
                 "--output", "-"}),
            0);
  EXPECT_EQ(out_.str(), scores);

  EXPECT_EQ(Run({"model", "verify", folder_ + "/model"}), 0) << err_.str();
  EXPECT_EQ(Run({"model", "export", folder_ + "/model", "--format", "text"}), 0) << err_.str();
  EXPECT_THAT(out_.str(), AllOf(StartsWith("bias\t0\t"), HasSubstr("\nweights\t1\t")));
}

TEST_F(CliTest, ScoringTakesOtherFormatsByFlags) {
  ASSERT_EQ(Run({"train", WriteJob()}), 0) << err_.str();
  const std::string model = folder_ + "/model";
  const std::string data = folder_ + "/train.libsvm";
  EXPECT_EQ(Run({"evaluate", "--model", model, "--data", data}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("train.libsvm:1: "));
  EXPECT_EQ(Run({"evaluate", "--model", model, "--data", data, "--format", "libsvm"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("index_base"));
  EXPECT_EQ(Run({"evaluate", "--model", model, "--data", data, "--format", "libsvm", "--index_base",
                 "1", "--json"}),
            0)
      << err_.str();
  EXPECT_EQ(Events()[0]["rows"], 300);
}

TEST_F(CliTest, WeightsOfRowsMustBeAsManyAsRows) {
  std::string weights;
  for (int i = 0; i < 300; ++i) weights += i % 2 == 0 ? "1\n" : "0.5\n";
  Write("w", weights);
  const std::string set = "data.weights=" + folder_ + "/w";
  EXPECT_EQ(Run({"train", WriteJob(), "--set", set}), 0) << err_.str();
  Write("w", weights + "1\n");
  EXPECT_EQ(Run({"train", WriteJob(), "--set", set}), 2);
  EXPECT_THAT(err_.str(),
              HasSubstr("/w holds 301 numbers, but the data that it belongs to has 300 rows"));
  Write("w", "-1\n" + weights);
  EXPECT_EQ(Run({"train", WriteJob(), "--set", set}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("/w:1: weight `-1` is negative"));
}

// Rows whose label is that of the job, in csv with a header.
std::string JobsCsv() {
  std::string rows = "age,job,click\n";
  for (int i = 0; i < 300; ++i) rows += i % 3 == 0 ? "40,cook,1\n" : "?,\"smith, \"\"x\"\"\",0\n";
  return rows;
}

constexpr char kCsvData[] =
    "model: {type: lr}\n"
    "data: {train: train.csv, test: test.csv, format: csv, header: true, missing: \"?\",\n"
    "       columns: {label: click, numeric: [age], categorical: [job]}}\n"
    "train: {epochs: 2, batch_size: 32}\noutput: {model: model}\n";

TEST_F(CliTest, TrainsOnColumnsAndScoresThemInAnyOrder) {
  Write("train.csv", JobsCsv());
  Write("test.csv", "click,more,job,age\n1,x,cook,40\n0,,baker,\n");
  ASSERT_EQ(Run({"train", Write("job.yaml", kCsvData), "--json"}), 0) << err_.str();
  EXPECT_EQ(Events()[2]["test_auc"], 1.0);
  const std::string model = folder_ + "/model";
  ASSERT_EQ(Run({"evaluate", "--model", model, "--data", folder_ + "/test.csv", "--format", "csv",
                 "--json"}),
            0)
      << err_.str();
  EXPECT_EQ(Events()[0]["auc"], 1.0);

  // Rows to score need no label.
  ASSERT_EQ(Run({"predict", "--model", model, "--data", folder_ + "/test.csv", "--output", "-"}),
            0);
  const std::string scores = out_.str();
  Write("new.csv", "job,age\ncook,40\nbaker,\n");
  ASSERT_EQ(Run({"predict", "--model", model, "--data", folder_ + "/new.csv", "--output", "-"}), 0)
      << err_.str();
  EXPECT_EQ(out_.str(), scores);
  Write("new.csv", "jobs,age\ncook,40\n");
  EXPECT_EQ(Run({"predict", "--model", model, "--data", folder_ + "/new.csv", "--output", "-"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("new.csv:1: there is no column `job`, did you mean `jobs`?"));
  EXPECT_EQ(Run({"evaluate", "--model", model, "--data", folder_ + "/new.csv"}), 2);
}

TEST_F(CliTest, TheSameRowsMakeTheSameModelInEveryFormat) {
  std::string libsvm, dummy, csv, libffm;
  for (int i = 0; i < 300; ++i) {
    const int a = i % 3 == 0 ? 0 : 1;
    const int b = 2 + i % 5;
    const std::string label = a == 0 ? "1" : "0";
    libsvm += label + " " + std::to_string(b + 1) + ":1 " + std::to_string(a + 1) + ":1.0\n";
    dummy += label + " " + std::to_string(a) + " " + std::to_string(b) + "\n";
    libffm += label + " 0:" + std::to_string(a) + ":1 1:" + std::to_string(b) + ":1\n";
    for (int column = 0; column < 7; ++column) csv += column == a || column == b ? "1," : "0,";
    csv += label + "\n";
  }
  Write("rows.libsvm", libsvm);
  Write("rows.dummy", dummy);
  Write("rows.csv", csv);
  Write("rows.ffm", libffm);
  const auto model = [&](const std::string& data) {
    const std::string job =
        Write("job.yaml", "model: {type: fm}\ndata: {" + data +
                              "}\ntrain: {epochs: 2, batch_size: 32}\noutput: {model: model}\n");
    EXPECT_EQ(Run({"train", job}), 0) << err_.str();
    EXPECT_EQ(Run({"model", "export", folder_ + "/model", "--format", "text"}), 0);
    return out_.str();
  };
  const std::string expected = model("train: rows.libsvm, format: libsvm, index_base: 1");
  EXPECT_EQ(model("train: rows.dummy, format: dummy"), expected);
  EXPECT_EQ(model("train: rows.ffm, format: libffm, index_base: 0"), expected);
  EXPECT_EQ(model("train: rows.csv, format: csv, columns: {label: -1}"), expected);
}

TEST_F(CliTest, DataInspectPrintsASectionThatTrains) {
  const std::string csv = Write("train.csv", JobsCsv() + "40,cook\n");
  ASSERT_EQ(Run({"data", "inspect", csv}), 0) << err_.str();
  EXPECT_THAT(
      out_.str(),
      AllOf(HasSubstr("format    csv, by its looks\n"), HasSubstr("rows      301, 1 of them bad\n"),
            HasSubstr("labels    0 (200 rows), 1 (100 rows)\n"),
            HasSubstr("       0  age                  numeric      40 to 40, 1 different, 200 "
                      "missing\n"),
            HasSubstr("       1  job                  categorical  2 different\n"),
            HasSubstr("bad row   " + csv + ":302: the row has 2 columns, the header has 3\n"),
            HasSubstr("\ndata:\n")));
  const std::string job =
      Write("job.yaml", out_.str().substr(out_.str().find("data:")) +
                            "model: {type: lr}\ntrain: {epochs: 1}\noutput: {model: model}\n");
  EXPECT_EQ(Run({"train", job, "--set", "data.on_bad_row=skip"}), 0) << err_.str();
}

TEST_F(CliTest, DataInspectSpeaksToProgramsToo) {
  const std::string data = Write("rows", "2 5:1 7:1\n1 3:0.5\n2\n1 4\n1 4:1\n1 4:1\n");
  ASSERT_EQ(Run({"data", "inspect", data, "--json"}), 0) << err_.str();
  const Json found = Events()[0];
  EXPECT_EQ(found["format"], "libsvm");
  EXPECT_EQ(found["format_guessed"], true);
  EXPECT_EQ(found["rows"], 6);
  EXPECT_EQ(found["bad_rows"], 1);
  EXPECT_EQ(found["smallest_index"], 3);
  EXPECT_EQ(found["largest_index"], 7);
  EXPECT_EQ(found["labels"][1]["label"], 2.0);
  EXPECT_EQ(found["labels"][1]["rows"], 2);
  EXPECT_EQ(found["first_bad_rows"][0]["line"], 4);
  EXPECT_EQ(found["data"]["index_base"], 1);
  EXPECT_EQ(found["data"]["label"]["positive"][0], "2");
  ASSERT_EQ(Run({"data", "inspect", data, "--format", "libsvm", "--index_base", "0"}), 0);
  EXPECT_THAT(out_.str(), AllOf(HasSubstr("index_base: 0"), HasSubstr("format    libsvm\n")));

  EXPECT_EQ(Run({"data", "inspect", Write("text", "no data, just words\n")}), 2);
  EXPECT_THAT(err_.str(), StartsWith("error: inspect " + folder_ + "/text: "));
  EXPECT_EQ(Run({"data", "inspect", folder_ + "/none"}), 2);
  EXPECT_EQ(Run({"data", "inspect", data, "--format", "libsmv"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("did you mean libsvm?"));
}

TEST_F(CliTest, SeveralClassesHaveAProbabilityEach) {
  std::string rows;
  for (int i = 0; i < 300; ++i) rows += std::to_string(i % 3) + " " + std::to_string(i % 3) + "\n";
  Write("train.dummy", rows);
  const std::string job = Write("job.yaml",
                                "model: {type: softmax, classes: 3}\n"
                                "data: {train: train.dummy, test: train.dummy, format: dummy}\n"
                                "train: {batch_size: 32}\noutput: {model: model}\n");
  ASSERT_EQ(Run({"train", job, "--json"}), 0) << err_.str();
  const Json done = Events().back();
  EXPECT_EQ(done["test_accuracy"], 1.0);
  EXPECT_FALSE(done.contains("test_auc"));
  const std::string data = Write("some.dummy", "0 2\n9 0\n1\n");
  ASSERT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", data, "--output", "-"}), 0)
      << err_.str();
  const std::vector<std::string> lines = absl::StrSplit(out_.str(), '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 3u);
  EXPECT_THAT(lines[0], StartsWith("2\t"));
  EXPECT_THAT(lines[1], StartsWith("0\t"));
  for (const std::string& line : lines) {
    const std::vector<std::string> numbers = absl::StrSplit(line, '\t');
    ASSERT_EQ(numbers.size(), 4u) << line;
    EXPECT_NEAR(std::stod(numbers[1]) + std::stod(numbers[2]) + std::stod(numbers[3]), 1, 1e-8);
  }
  ASSERT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", folder_ + "/train.dummy",
                 "--json"}),
            0)
      << err_.str();
  EXPECT_EQ(Events()[0]["accuracy"], 1.0);
  EXPECT_EQ(Events()[0]["logloss"], done["test_logloss"]);
  EXPECT_FALSE(Events()[0].contains("auc"));
  EXPECT_EQ(
      Run({"evaluate", "--model", folder_ + "/model", "--data", Write("odd.dummy", "0 1\n3 1\n")}),
      2);
  EXPECT_THAT(err_.str(), HasSubstr("odd.dummy:2: label 3 is not one of the classes 0 to 2"));
}

TEST_F(CliTest, AFeatureUnseenInTrainingScoresAsAbsent) {
  for (const char* type : {"lr", "fm"}) {
    ASSERT_EQ(Run({"train", WriteJob(), "--json", "--set", std::string("model.type=") + type}), 0)
        << err_.str();
    const std::string model = folder_ + "/model";
    ASSERT_EQ(Run({"predict", "--model", model, "--data",
                   Write("seen.dummy", "1 0 2\n1 1 2\n0\n1 0\n"), "--output", "-"}),
              0)
        << err_.str();
    const std::string scores = out_.str();
    const std::string unseen = Write("unseen.dummy", "1 0 2 77\n1 1 2 78 79\n0 77 78\n1 0 99\n");
    ASSERT_EQ(Run({"predict", "--model", model, "--data", unseen, "--output", "-"}), 0);
    EXPECT_EQ(out_.str(), scores) << type;
    // What training measures on such rows is what the saved model shows.
    ASSERT_EQ(Run({"train", WriteJob(), "--json", "--set", std::string("model.type=") + type,
                   "--set", "data.test={path: " + unseen + ", format: dummy}"}),
              0)
        << err_.str();
    const Json trained = Events()[2];
    ASSERT_EQ(Run({"evaluate", "--model", model, "--data", unseen, "--json"}), 0) << err_.str();
    EXPECT_EQ(Events()[0]["logloss"], trained["test_logloss"]) << type;
    ASSERT_EQ(Run({"evaluate", "--model", model, "--data", folder_ + "/seen.dummy", "--json"}), 0);
    EXPECT_EQ(Events()[0]["logloss"], trained["test_logloss"]) << type;
  }
}

TEST_F(CliTest, AFeatureUnseenInTrainingScoresAsAbsentInItsFieldToo) {
  std::string rows;
  for (int i = 0; i < 300; ++i) rows += i % 3 == 0 ? "1 0:0:1 1:2:1\n" : "0 0:1:1 1:3:1\n";
  Write("train.ffm", rows);
  const std::string job = Write("job.yaml",
                                "model: {type: ffm}\n"
                                "data: {train: train.ffm, format: libffm, index_base: 0}\n"
                                "train: {epochs: 2, batch_size: 32}\noutput: {model: model}\n");
  ASSERT_EQ(Run({"train", job}), 0) << err_.str();
  const auto scores = [&](const std::string& text) {
    EXPECT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", Write("some.ffm", text),
                   "--output", "-"}),
              0)
        << err_.str();
    return out_.str();
  };
  // Another index, and the same in a field that training has not seen beside it.
  EXPECT_EQ(scores("1 0:0:1 1:2:1 1:77:1 2:78:3\n0 0:99:1\n"), scores("1 0:0:1 1:2:1\n0\n"));
}

TEST_F(CliTest, OneClassHasNoAuc) {
  ASSERT_EQ(Run({"train", WriteJob()}), 0) << err_.str();
  const std::string data = Write("ones.dummy", "1 0\n1 1\n");
  ASSERT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", data, "--json"}), 0);
  EXPECT_TRUE(Events()[0]["auc"].is_null());
  EXPECT_FALSE(Events()[0]["logloss"].is_null());
}

TEST_F(CliTest, PredictReadsAnyLabelAndKeepsTheOldFileOnErrors) {
  ASSERT_EQ(Run({"train", WriteJob()}), 0) << err_.str();
  const std::string data = Write("odd.dummy", "17 0\n-2.5 1\n");
  const std::string scores = Write("scores", "old\n");
  ASSERT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", data, "--output", scores}), 0)
      << err_.str();
  const std::string two = Read("scores");
  EXPECT_EQ(std::count(two.begin(), two.end(), '\n'), 2);
  Write("scores", "old\n");
  Write("odd.dummy", "17 0\n1 nan\n");
  EXPECT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", data, "--output", scores}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("odd.dummy:2: "));
  EXPECT_EQ(Read("scores"), "old\n");
}

// Rows of many blocks, of which those in `bad` (from 1) are no rows.
std::string ManyRows(const std::vector<int>& bad = {}) {
  std::string rows;
  for (int i = 1; i <= 6000; ++i) {
    if (std::find(bad.begin(), bad.end(), i) != bad.end()) {
      rows += "rubbish\n";
    } else {
      rows += i % 3 == 0 ? "1 0 " : "-1 1 ";
      rows += std::to_string(2 + i % 1000) + "\n";
    }
  }
  return rows;
}

TEST_F(CliTest, ScoresAreTheSameHoweverManyCoresThereAre) {
  const std::string data = Write("many.dummy", ManyRows());
  const std::string job = WriteJob();
  ASSERT_EQ(Run({"train", job, "--json", "--set", "data.train={path: " + data + ", format: dummy}",
                 "--set", "data.test={path: " + data + ", format: dummy}"}),
            0)
      << err_.str();
  const Json trained = Events()[2];
  const std::string model = folder_ + "/model";
  std::string scores, evaluation;
  for (const int cores : {1, 2, 7}) {
    context_.cores = cores;
    ASSERT_EQ(Run({"predict", "--model", model, "--data", data, "--output", "-"}), 0) << err_.str();
    if (scores.empty()) scores = out_.str();
    EXPECT_EQ(out_.str(), scores);
    ASSERT_EQ(Run({"evaluate", "--model", model, "--data", data, "--json"}), 0) << err_.str();
    if (evaluation.empty()) evaluation = out_.str();
    EXPECT_EQ(out_.str(), evaluation);
    EXPECT_EQ(Events()[0]["rows"], 6000);
    EXPECT_EQ(Events()[0]["logloss"], trained["test_logloss"]);
    EXPECT_EQ(Events()[0]["auc"], trained["test_auc"]);
  }
  // A file of its own says of each row what the file of all says.
  const std::vector<std::string> lines = absl::StrSplit(scores, '\n', absl::SkipEmpty());
  ASSERT_EQ(lines.size(), 6000u);
  const std::vector<std::string> rows = absl::StrSplit(ManyRows(), '\n', absl::SkipEmpty());
  for (const size_t i : {0, 1023, 1024, 3000, 5999}) {
    const std::string one = Write("one.dummy", rows[i] + "\n");
    ASSERT_EQ(Run({"predict", "--model", model, "--data", one, "--output", "-"}), 0);
    EXPECT_EQ(out_.str(), lines[i] + "\n");
  }
}

TEST_F(CliTest, TheFirstBadRowDecidesHoweverManyCoresThereAre) {
  const std::string job = WriteJob();
  ASSERT_EQ(Run({"train", job, "--set", "data.on_bad_row=skip", "--set", "data.max_bad_rows=3"}), 0)
      << err_.str();
  const std::string model = folder_ + "/model";
  const std::string three = Write("three.dummy", ManyRows({1500, 1501, 4400}));
  const std::string five = Write("five.dummy", ManyRows({1500, 1501, 4400, 4500, 5500}));
  const std::string bad = Write("bad.dummy", "rubbish\nmore\n");
  for (const int cores : {1, 2, 7}) {
    context_.cores = cores;
    for (int round = 0; round < 3; ++round) {
      EXPECT_EQ(Run({"predict", "--model", model, "--data", five, "--output", "-"}), 2);
      EXPECT_THAT(err_.str(), HasSubstr("five.dummy:1500: label `rubbish`"));
      const std::string scores = out_.str();
      EXPECT_EQ(std::count(scores.begin(), scores.end(), '\n'), 1024);
      EXPECT_EQ(Run({"evaluate", "--model", model, "--data", five}), 2);
      EXPECT_THAT(err_.str(), HasSubstr("five.dummy:4500: label `rubbish` is not a number (more "
                                        "than max_bad_rows: 3 bad rows)"));
    }
    ASSERT_EQ(Run({"evaluate", "--model", model, "--data", three, "--json"}), 0) << err_.str();
    EXPECT_EQ(Events()[0]["rows"], 5997);
    EXPECT_EQ(Events()[0]["rows_skipped"], 3);
    EXPECT_EQ(Run({"evaluate", "--model", model, "--data", bad}), 2);
    EXPECT_THAT(err_.str(), HasSubstr("all 2 rows of " + bad + " are bad"));
    EXPECT_EQ(Run({"predict", "--model", model, "--data", three, "--data", folder_ + "/empty*",
                   "--output", "-"}),
              2);
  }
}

TEST_F(CliTest, WrongModelsAndDataAreExitTwo) {
  const std::string job = WriteJob();
  EXPECT_EQ(Run({"evaluate", "--model", folder_ + "/none", "--data", job}), 2);
  EXPECT_THAT(err_.str(), StartsWith("error: evaluate " + folder_ + "/none: "));
  ASSERT_EQ(Run({"train", job}), 0) << err_.str();
  EXPECT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", folder_ + "/none"}), 2);
  EXPECT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", Write("empty", "")}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("is empty"));
  EXPECT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", folder_ + "/test.dummy",
                 "--output", folder_}),
            2);
}

TEST_F(CliTest, BadRowsEndTheJobWithTheirLine) {
  const std::string job = WriteJob();
  Write("train.libsvm", "1 1:1\n-1 2:1\n3 1:1\n");
  EXPECT_EQ(Run({"train", job, "--json"}), 2);
  EXPECT_THAT(err_.str(), AllOf(StartsWith("error: train tiny: "), HasSubstr("train.libsvm:3: "),
                                HasSubstr("label 3")));
  EXPECT_EQ(Events().back()["status"], "failed");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/model"));
}

TEST_F(CliTest, ASignalCancelsTheJob) {
  const std::string job = WriteJob();
  signal_ = SIGTERM;
  EXPECT_EQ(Run({"train", job, "--json", "--set", "train.epochs=100000"}), 143);
  EXPECT_EQ(Events().back()["status"], "cancelled");
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/model"));
  signal_ = SIGINT;
  EXPECT_EQ(Run({"train", job, "--set", "train.epochs=100000"}), 130);
  signal_.reset();
  ASSERT_EQ(Run({"train", job}), 0);
  signal_ = SIGINT;
  for (const char* command : {"evaluate", "predict"}) {
    std::vector<std::string> words = {command, "--model", folder_ + "/model", "--data",
                                      folder_ + "/train.libsvm"};
    if (words[0] == "predict") words.insert(words.end(), {"--output", folder_ + "/scores"});
    EXPECT_EQ(Run(words), 130);
    EXPECT_THAT(err_.str(), AllOf(StartsWith("error: " + words[0]), HasSubstr("SIGINT")));
  }
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/scores"));
}

TEST_F(CliTest, RowsThatAreAllBadAreNoData) {
  const std::string job = WriteJob();
  ASSERT_EQ(Run({"train", job}), 0);
  Write("bad.libsvm", "rubbish\nmore\n");
  const std::string bad = folder_ + "/bad.libsvm";
  EXPECT_EQ(Run({"train", job, "--set", "data.on_bad_row=skip", "--set", "data.train=" + bad}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("data.train: all 2 rows are bad"));
  EXPECT_EQ(Run({"model", "verify", folder_ + "/model"}), 0);  // The old one is in place.
}

TEST_F(CliTest, PredictionsDoNotReplaceTheirData) {
  const std::string job = WriteJob();
  ASSERT_EQ(Run({"train", job}), 0);
  const std::string data = folder_ + "/train.libsvm";
  EXPECT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", data, "--output", data}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("is the data file"));
}

TEST_F(CliTest, ProcessesNeedTheirPrograms) {
  EXPECT_EQ(Run({"train", WriteJob(), "--processes"}), 1);
  EXPECT_THAT(err_.str(), AllOf(HasSubstr("seraph_scheduler"), HasSubstr("\nhint: ")));
}

TEST_F(CliTest, RowsAreScaledInEvaluationAsInTraining) {
  std::string rows;
  for (int i = 0; i < 300; ++i) {
    rows += i % 3 == 0 ? "yes,1007,0\n" : i % 3 == 1 ? "no,1003,5\n" : "no,1001,?\n";
  }
  const std::string data = Write("rows.csv", rows);
  const std::string job =
      Write("job.yaml",
            "model: {type: lr}\n"
            "data: {train: rows.csv, test: rows.csv, format: csv, missing: \"?\", scale: standard, "
            "label: {positive: yes, negative: no}, class_weights: {1: 2}}\n"
            "train: {epochs: 5, batch_size: 32}\noutput: {model: model}\n");
  ASSERT_EQ(Run({"train", job, "--json"}), 0) << err_.str();
  const Json done = Events().back();
  EXPECT_EQ(done["test_auc"], 1);
  ASSERT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", data, "--json"}), 0)
      << err_.str();
  EXPECT_EQ(Events()[0]["logloss"], done["test_logloss"]);
  ASSERT_EQ(Run({"predict", "--model", folder_ + "/model", "--data", data, "--output",
                 folder_ + "/scores"}),
            0)
      << err_.str();
  const std::vector<std::string> scores = absl::StrSplit(Read("scores"), '\n', absl::SkipEmpty());
  ASSERT_EQ(scores.size(), 300u);
  EXPECT_GT(std::stod(scores[0]), .5);
  EXPECT_LT(std::stod(scores[1]), .5);
  const std::string indices = Write("rows.libsvm", "1 1:1007\n");
  EXPECT_EQ(Run({"evaluate", "--model", folder_ + "/model", "--data", indices, "--format", "libsvm",
                 "--index-base", "0"}),
            2);
  EXPECT_THAT(err_.str(), HasSubstr("rows.libsvm has rows of indices"));
}

TEST_F(CliTest, AnotherFormatOfTheSameRowsScoresAlike) {
  std::string csv = "click,age,country\n", tsv = "country\tclick\tage\n";
  for (int i = 0; i < 60; ++i) {
    const int age = i * 7 % 10;
    const char* const label = age > 4 ? "yes" : "no";
    csv += absl::StrCat(label, ",", age, ",c", i % 3, "\n");
    tsv += absl::StrCat("c", i % 3, "\t", label, "\t", age, "\n");
  }
  const std::string job =
      Write("job.yaml",
            "model: {type: lr}\n"
            "data: {train: {path: rows.csv, label: {positive: yes, negative: no}}, format: csv, "
            "header: true, scale: standard, "
            "columns: {label: click, numeric: [age], categorical: [country]}}\n"
            "train: {epochs: 5, batch_size: 16}\noutput: {model: model}\n");
  const std::string data = Write("rows.csv", csv);
  ASSERT_EQ(Run({"train", job}), 0) << err_.str();
  const auto evaluate = [&](std::vector<std::string> more) {
    std::vector<std::string> command = {"evaluate", "--model", folder_ + "/model", "--json"};
    command.insert(command.end(), more.begin(), more.end());
    EXPECT_EQ(Run(command), 0) << err_.str();
    return Events()[0];
  };
  const Json expected = evaluate({"--data", data});
  EXPECT_EQ(expected["auc"], 1);
  EXPECT_EQ(evaluate({"--data", Write("rows.tsv", tsv), "--format", "tsv"}), expected);

  // The model goes on with its own columns, wherever they stand.
  const std::string more =
      Write("more.yaml",
            "model: {type: lr}\n"
            "data: {train: {path: rows.tsv, label: {positive: yes, negative: "
            "no}}, format: tsv, header: true, scale: standard, "
            "columns: {label: click, numeric: [age], categorical: [country]}}\n"
            "optimizer: {learning_rate: 1.0e-30}\n"
            "train: {epochs: 1, start_from: model}\noutput: {model: more}\n");
  ASSERT_EQ(Run({"train", more}), 0) << err_.str();
  const std::string folder = folder_ + "/more";
  ASSERT_EQ(Run({"evaluate", "--model", folder, "--json", "--data", data, "--format", "csv"}), 0)
      << err_.str();
  EXPECT_EQ(Events()[0], expected);
  EXPECT_EQ(Run({"train", more, "--set", "data.columns.names=[country, age, click]"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("data.columns.names: are not those of the model"));
  EXPECT_EQ(Run({"train", more, "--set", "data.hash_bits=20"}), 2);
  EXPECT_THAT(err_.str(), HasSubstr("it was trained with data.hash_bits none, the job has 20"));
}

}  // namespace
}  // namespace seraph
