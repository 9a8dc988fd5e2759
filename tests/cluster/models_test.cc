// SPDX-License-Identifier: Apache-2.0
// Models reach reference results on real data (docs/MODELS.md). Those on data of ../shared are
// skipped where SERAPH_SHARED_DATA does not say where it lies.
#include <cstdlib>
#include <filesystem>
#include <fstream>
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
  v1::Metrics Train(const std::string& text) {
    absl::StatusOr<v1::JobSpec> job = ParseJob(text, "job.yaml", folder_, {});
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
