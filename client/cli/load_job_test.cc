// SPDX-License-Identifier: Apache-2.0
#include "client/cli/load_job.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using testing::AllOf;
using testing::EndsWith;
using testing::HasSubstr;

class LoadJobTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "load_job_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_ + "/data");
    Write("data/a.libsvm", "1 1:1\n");
    Write("data/empty.libsvm", "");
  }
  void Write(const std::string& name, const std::string& text) {
    std::ofstream(folder_ + "/" + name) << text;
  }
  absl::StatusOr<v1::JobSpec> Load(const std::string& text,
                                   const std::vector<std::string>& overrides = {}) {
    Write("census.yaml", text);
    return LoadJob(files_.get(), {folder_ + "/census.yaml", overrides, 2});
  }

  static constexpr char kJob[] =
      "model: {type: lr}\n"
      "data:\n"
      "  train: data/a.libsvm\n"
      "  format: libsvm\n"
      "  index_base: 1\n"
      "train:\n"
      "  epochs: 3\n";
  std::string folder_;
  std::unique_ptr<FileSystem> files_ = NewPosixFileSystem();
};

TEST_F(LoadJobTest, NamesJobAndOutputByTheFile) {
  const absl::StatusOr<v1::JobSpec> job = Load(kJob);
  ASSERT_OK(job.status());
  EXPECT_EQ(job->name(), "census");
  EXPECT_EQ(job->output().model(), folder_ + "/out/census");
  EXPECT_EQ(job->train().epochs(), 3);
  EXPECT_FALSE(std::filesystem::exists(folder_ + "/out"));
}

TEST_F(LoadJobTest, AWrongValueIsTracedToItsLine) {
  EXPECT_THAT(Load(std::string(kJob) + "  batch_size: 0\n").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       EndsWith("census.yaml:8: train.batch_size: 0 is not in 1..16777216")));
  EXPECT_THAT(Load(std::string(kJob) + "tables:\n  weigths: {}\n").status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("census.yaml:9: tables.")));
  EXPECT_THAT(Load(std::string(kJob) + "optimizer:\n  type: sgd\n  learning_rate: -1\n").status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("census.yaml:10: optimizer.learning_rate: -1 is not")));
  EXPECT_THAT(Load(std::string(kJob) + "cluster:\n  servers: 1\n  replicas: 1\n").status(),
              StatusIs(absl::StatusCode::kUnimplemented,
                       HasSubstr("census.yaml:10: cluster.replicas: 1 is not in this version")));
}

TEST_F(LoadJobTest, AWrongOverrideIsNamed) {
  EXPECT_THAT(Load(kJob, {"model.type=lrr"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       "--set model.type=lrr: model.type: unknown value \"lrr\", did you mean "
                       "\"lr\"?"));
}

TEST_F(LoadJobTest, DataThatCannotBeReadIsNamedWithItsLine) {
  EXPECT_THAT(Load(kJob, {"data.train=[data/a.libsvm, data/none.libsvm]"}).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("data.train[1]: "), HasSubstr("data/none.libsvm"))));
  EXPECT_THAT(Load(std::string(kJob), {"data.test=data/empty.libsvm"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("data.test[0]: "), HasSubstr("empty.libsvm is empty"))));
  EXPECT_THAT(Load("model: {type: lr}\ndata:\n  format: dummy\n  train: data/*.nope\n").status(),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("census.yaml:4: data.train[0]: "), HasSubstr("*.nope"))));
}

TEST_F(LoadJobTest, AnOutputThatIsNoModelIsRefused) {
  EXPECT_THAT(Load(kJob, {"output.model=data"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("output.model: "), HasSubstr("/data"))));
  EXPECT_THAT(Load(kJob, {"output.model=data/a.libsvm/model"}).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("output.model: ")));
}

TEST_F(LoadJobTest, StartingFromNoModelIsRefused) {
  EXPECT_THAT(Load(kJob, {"train.start_from=none"}).status(),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr("train.start_from: "), HasSubstr("/none"))));
}

constexpr char kCsvJob[] =
    "model: {type: lr}\n"
    "data:\n"
    "  train: [plain.csv, train.csv]\n"
    "  test: test.csv\n"
    "  format: csv\n"
    "  header: true\n"
    "  columns: {label: y, categorical: [job]}\n";

TEST_F(LoadJobTest, TheHeaderOfTheTrainingDataNumbersTheColumnsOfAllFiles) {
  Write("plain.csv", "y,age,job\n1,40,cook\n");
  Write("train.csv", "job,y\ncook,1\n");
  Write("test.csv", "job,age,y\ncook,40,1\n");
  const absl::StatusOr<v1::JobSpec> job = Load(kCsvJob);
  ASSERT_OK(job.status());
  for (const v1::DataPath& entry :
       {job->data().train(0), job->data().train(1), job->data().test(0)}) {
    EXPECT_THAT(entry.columns().names(), testing::ElementsAre("y", "age", "job"));
  }
  const absl::StatusOr<v1::JobSpec> stated =
      Load(kCsvJob, {"data.columns.names=[job, y]", "data.columns.label=y"});
  ASSERT_OK(stated.status());
  EXPECT_THAT(stated->data().train(0).columns().names(), testing::ElementsAre("job", "y"));
}

TEST_F(LoadJobTest, AColumnThatIsNotInTheHeaderIsTracedToItsLine) {
  Write("plain.csv", "yy,age,job\n1,40,cook\n");
  Write("train.csv", "y\n");
  Write("test.csv", "y\n");
  EXPECT_THAT(Load(kCsvJob).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("census.yaml:3: data.train[0].columns: there is no column "
                                       "`y`, did you mean `yy`?"))));
}

TEST_F(LoadJobTest, AHeaderThatIsNoTextIsNamed) {
  Write("plain.csv", "y,caf\xe9,job\n1,40,cook\n");
  Write("train.csv", "y\n");
  Write("test.csv", "y\n");
  EXPECT_THAT(Load(kCsvJob).status(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("plain.csv is not UTF-8"), HasSubstr("census.yaml:3"))));
  Write("plain.csv", "\n");
  EXPECT_THAT(Load(kCsvJob).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("plain.csv holds no rows")));
}

TEST_F(LoadJobTest, AWeightsFileThatIsNotThereIsNamed) {
  EXPECT_THAT(Load(std::string(kJob), {"data.weights=" + folder_ + "/none"}).status(),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       AllOf(HasSubstr(": data.weights: weights file "),
                             HasSubstr("none cannot be read"))));
  const std::string own = "data.train={path: data/a.libsvm, weights: " + folder_ + "/own}";
  EXPECT_THAT(Load(std::string(kJob), {own}).status(),
              StatusIs(absl::StatusCode::kPermissionDenied,
                       HasSubstr(": data.train[0].weights: weights file ")));
}

}  // namespace
}  // namespace seraph
