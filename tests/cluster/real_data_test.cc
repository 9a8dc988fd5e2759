// SPDX-License-Identifier: Apache-2.0
// Jobs on real files reach the results that the data's README states, or come near enough. Skipped
// where SERAPH_SHARED_DATA does not say where the files lie.
#include <cstdlib>
#include <fstream>
#include <functional>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

class RealDataTest : public DataSetFixture {
 protected:
  void SetUp() override {
    const char* const shared = std::getenv("SERAPH_SHARED_DATA");
    if (shared == nullptr || *shared == '\0') GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
    shared_ = shared;
  }

  // Cuts the rows of a shared file in two by their number from 0; a header goes to both. The parts
  // are called train and test.
  void Split(const std::string& name, bool header,
             const std::function<bool(uint64_t row)>& is_test) const {
    std::ifstream in(shared_ + "/" + name);
    ASSERT_TRUE(in) << name;
    std::ofstream train(Path("train")), test(Path("test"));
    std::string line;
    if (header && std::getline(in, line)) {
      train << line << "\n";
      test << line << "\n";
    }
    for (uint64_t row = 0; std::getline(in, line); ++row) {
      (is_test(row) ? test : train) << line << "\n";
    }
  }

  static v1::Metrics Train(const std::string& yaml) {
    TestCluster cluster({.servers = 2, .workers = 2});
    const absl::StatusOr<v1::JobDone> done =
        cluster.Run(JobOf(yaml + "cluster: {servers: 2, workers: 2}\n"));
    EXPECT_OK(done);
    if (!done.ok()) return v1::Metrics();
    EXPECT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
    return done->test();
  }

  std::string shared_;
};

TEST_F(RealDataTest, AdultLogisticRegressionFromCsv) {
  Split("adult/adult.txt", /*header=*/true, [](uint64_t row) { return row % 5 == 0; });
  const v1::Metrics test = Train(absl::StrCat(
      "model: {type: lr}\n"
      "data:\n"
      "  train: ",
      Path("train"), "\n  test: ", Path("test"), "\n",
      "  format: csv\n"
      "  header: true\n"
      "  missing: [\"?\"]\n"
      "  columns:\n"
      "    label: label(IsOver50K)\n"
      "    numeric: [age, fnlwgt, education-num, capital-gain, capital-loss, hours-per-week]\n"
      "    categorical: [workclass, education, marital-status, occupation, relationship,\n"
      "                  ethnicity, sex, native-country]\n"
      "  scale: standard\n"
      "optimizer: {type: adagrad, learning_rate: 0.1}\n"
      "train: {epochs: 10, batch_size: 256, seed: 7}\n"));
  EXPECT_EQ(test.rows(), 6513u);
  EXPECT_GE(test.auc(), .905);
  EXPECT_LE(test.logloss(), .325);
}

// Numbers are taken as categories: each is a feature, a missing one is none.
TEST_F(RealDataTest, CriteoLogisticRegressionFromHashedColumns) {
  const std::string folder = shared_ + "/wide-resdnn/criteo_";
  const v1::Metrics test =
      Train(absl::StrCat("model: {type: lr}\n"
                         "data:\n"
                         "  train: ",
                         folder, "train.tsv\n  test: [", folder, "dev.tsv, ", folder, "test.tsv]\n",
                         "  format: tsv\n"
                         "  columns: {label: 0, categorical: [[1, 39]]}\n"
                         "  hash_bits: 22\n"
                         "optimizer: {type: adam, learning_rate: 0.001}\n"
                         "train: {epochs: 16, batch_size: 128, seed: 7}\n"));
  EXPECT_EQ(test.rows(), 800u);
  EXPECT_GE(test.auc(), .70);
  EXPECT_LE(test.logloss(), .490);
}

TEST_F(RealDataTest, FtrlFfmLogisticRegression) {
  Split("ftrl-ffm/libsvm_data.txt", /*header=*/false, [](uint64_t row) { return row >= 8000; });
  const v1::Metrics test =
      Train(absl::StrCat("model: {type: lr}\n"
                         "data: {train: ",
                         Path("train"), ", test: ", Path("test"),
                         ", format: libsvm, index_base: 1}\n"
                         "optimizer: {type: adagrad, learning_rate: 0.1}\n"
                         "train: {epochs: 10, batch_size: 64, seed: 7}\n"));
  EXPECT_EQ(test.rows(), 2000u);
  EXPECT_GE(test.auc(), .976);
}

}  // namespace
}  // namespace seraph
