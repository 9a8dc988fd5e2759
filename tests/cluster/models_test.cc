// SPDX-License-Identifier: Apache-2.0
// Models reach reference results on real data (docs/MODELS.md). Those on data of ../shared are
// skipped where SERAPH_SHARED_DATA does not say where it lies.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "client/cli/job/job_file.h"
#include "client/cli/job/resolve.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

class ModelsTest : public ::testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }

  // Empty, and the test to be skipped, where the data is not here.
  static std::string SharedData(const std::string& file) {
    const char* const shared = std::getenv("SERAPH_SHARED_DATA");
    return shared == nullptr || *shared == '\0' ? "" : absl::StrCat(shared, "/", file);
  }

  static std::vector<std::string> Lines(const std::string& path) {
    std::ifstream file(path);
    EXPECT_TRUE(file.is_open()) << path;
    std::vector<std::string> lines;
    for (std::string line; std::getline(file, line);) lines.push_back(line);
    return lines;
  }

  void Write(const std::string& name, const std::vector<std::string>& lines) {
    std::ofstream file(folder_ + "/" + name);
    for (const std::string& line : lines) file << line << "\n";
  }

  // The test metrics of a job whose relative paths are those of files that were written.
  v1::Metrics Train(const std::string& text, const std::vector<std::string>& overrides = {}) {
    absl::StatusOr<v1::JobSpec> job = ParseJob(text, "job.yaml", folder_, overrides);
    EXPECT_OK(job);
    if (!job.ok()) return {};
    EXPECT_OK(ResolveJob(/*cores=*/2, &*job));
    TestCluster cluster({.servers = static_cast<int>(job->cluster().servers()),
                         .workers = static_cast<int>(job->cluster().workers())});
    const absl::StatusOr<v1::JobDone> done = cluster.Run(*job);
    EXPECT_OK(done);
    if (!done.ok()) return {};
    EXPECT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
    return done->test();
  }

  // Census data as libffm text: train.ffm and test.ffm.
  void WriteCensus();

  const std::string folder_ = FreshFolder();
};

// Digits as libsvm text, values divided by 16: the class is the last column of a file whose first
// line is a comment.
std::vector<std::string> DigitsAsLibsvm(const std::vector<std::string>& lines) {
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    if (line.empty() || line[0] == '#') continue;
    const std::vector<std::string> columns = absl::StrSplit(line, ',');
    std::string row = columns.back();
    for (size_t c = 0; c + 1 < columns.size(); ++c) {
      double value = 0;
      EXPECT_TRUE(absl::SimpleAtod(columns[c], &value)) << line;
      if (value != 0) absl::StrAppend(&row, " ", c, ":", value / 16);
    }
    rows.push_back(row);
  }
  return rows;
}

// Rows of census data as libffm text: fields are ranges of indices (those of the data's README).
std::vector<std::string> CensusAsLibffm(const std::vector<std::string>& lines, uint32_t base) {
  constexpr uint32_t kFirstOfField[] = {0, 9, 18, 34, 43, 50, 65, 71, 76, 78, 93, 98, 106};
  std::vector<std::string> rows;
  for (const std::string& line : lines) {
    const std::vector<std::string> tokens = absl::StrSplit(line, ' ', absl::SkipEmpty());
    std::string row = tokens.at(0);
    for (size_t t = 1; t < tokens.size(); ++t) {
      uint32_t index = 0;
      EXPECT_TRUE(absl::SimpleAtoi(tokens[t].substr(0, tokens[t].find(':')), &index)) << line;
      const auto* const next =
          std::upper_bound(std::begin(kFirstOfField), std::end(kFirstOfField), index - base);
      absl::StrAppend(&row, " ", next - std::begin(kFirstOfField) - 1, ":", index - base, ":1");
    }
    rows.push_back(row);
  }
  return rows;
}

void ModelsTest::WriteCensus() {
  Write("train.ffm", CensusAsLibffm(Lines("examples/data/census_148d_train.libsvm"), 1));
  Write("test.ffm", CensusAsLibffm(Lines("examples/data/census_148d_test.dummy"), 0));
}

TEST_F(ModelsTest, FieldAwareMachineOfCensus) {
  WriteCensus();
  const v1::Metrics test = Train(
      "model: {type: ffm, factors: 4, init_scale: 0.05}\n"
      "data: {train: train.ffm, test: test.ffm, format: libffm, index_base: 0}\n"
      "optimizer: {learning_rate: 0.05, initial_accumulator: 1.0e-3, l2: 1.0e-4}\n"
      "train: {epochs: 7, batch_size: 64}\n");
  EXPECT_EQ(test.rows(), 9769u);
  EXPECT_LE(test.logloss(), .2985);
}

TEST_F(ModelsTest, ServersDoNotChangeABitOfAFieldAwareMachine) {
  WriteCensus();
  const auto bits = [this](const std::string& servers) {
    const std::string model = folder_ + "/model-" + servers;
    Train(
        "model: {type: ffm}\ndata: {train: train.ffm, format: libffm, index_base: 0}\n"
        "train: {epochs: 1}\ncluster: {workers: 2}\n",
        {"cluster.servers=" + servers, "output.model=" + model});
    return ReadModelBits(model);
  };
  const ModelBits one = bits("1");
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(bits("3"), one);
}

TEST_F(ModelsTest, FieldAwareMachineOfClicksByItsDefaults) {
  const std::string path = SharedData("ftrl-ffm/libffm_data.txt");
  if (path.empty()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
  const std::vector<std::string> lines = Lines(path);
  ASSERT_EQ(lines.size(), 10000u);
  Write("train.ffm", {lines.begin(), lines.begin() + 8000});
  Write("test.ffm", {lines.begin() + 8000, lines.end()});
  const v1::Metrics test = Train(
      "model: {type: ffm}\n"
      "data: {train: train.ffm, test: test.ffm, format: libffm, index_base: 0}\n");
  EXPECT_EQ(test.rows(), 2000u);
  EXPECT_LE(test.logloss(), .125);
}

// The path of a file of examples/data: relative ones are those of the test's own folder.
std::string Example(const std::string& file) {
  return (std::filesystem::current_path() / "examples/data" / file).string();
}

TEST_F(ModelsTest, SupportVectorMachineByItsDefaults) {
  const std::string text =
      absl::StrCat("data: {train: ", Example("a9a_123d_train.dummy"),
                   ", test: ", Example("a9a_123d_test.dummy"), ", format: dummy}\n");
  const v1::Metrics hinge = Train("model: {type: svm}\n" + text);
  EXPECT_LE(hinge.loss(), .360);
  EXPECT_GE(hinge.accuracy(), .847);
  EXPECT_GE(hinge.auc(), .895);
  EXPECT_FALSE(hinge.has_logloss());
  const v1::Metrics squared = Train("model: {type: svm, loss: squared_hinge}\n" + text);
  EXPECT_LE(squared.loss(), .430);
  EXPECT_GE(squared.accuracy(), .847);
}

TEST_F(ModelsTest, RegressionsWithLossesOfTheirOwn) {
  const std::string text = absl::StrCat("data: {train: ", Example("abalone_8d_train.libsvm"),
                                        ", test: ", Example("abalone_8d_train.libsvm"),
                                        ", format: libsvm, index_base: 1}\n");
  // The best that the model can do (by Newton's method) is a loss of .22157.
  const v1::Metrics poisson = Train("model: {type: poisson}\n" + text +
                                    "optimizer: {type: adam, learning_rate: 0.03}\n"
                                    "train: {epochs: 100, batch_size: 128}\n");
  EXPECT_LE(poisson.loss(), .2265);
  EXPECT_GE(poisson.loss(), .22157);
  EXPECT_GE(poisson.r2(), .49);
  const v1::Metrics huber =
      Train("model: {type: huber}\n" + text + "train: {epochs: 20, batch_size: 256}\n");
  EXPECT_LE(huber.loss(), 1.26);
  EXPECT_GE(huber.r2(), .40);
}

TEST_F(ModelsTest, SoftmaxTellsDigitsApart) {
  const std::string train = SharedData("optdigits/optdigits.tra");
  if (train.empty()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
  Write("train.libsvm", DigitsAsLibsvm(Lines(train)));
  Write("test.libsvm", DigitsAsLibsvm(Lines(SharedData("optdigits/optdigits.tes"))));
  const v1::Metrics test = Train(
      "model: {type: softmax, classes: 10}\n"
      "data: {train: train.libsvm, test: test.libsvm, format: libsvm, index_base: 0}\n"
      "train: {epochs: 20, batch_size: 64}\n");
  EXPECT_EQ(test.rows(), 1797u);
  EXPECT_GE(test.accuracy(), .940);
  EXPECT_LE(test.logloss(), .20);
  EXPECT_FALSE(test.has_auc());
}

}  // namespace
}  // namespace seraph
