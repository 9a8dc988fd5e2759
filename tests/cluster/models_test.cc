// SPDX-License-Identifier: Apache-2.0
// Models that no example job has reach reference results on the example data (docs/MODELS.md).
#include <filesystem>
#include <string>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

TEST(ModelsTest, ServersDoNotChangeABitOfAFieldAwareMachine) {
  const auto bits = [](const std::string& servers) {
    const v1::JobSpec job =
        ExampleJob("census_ffm", {"train.epochs=1", "cluster.servers=" + servers});
    Trained(job);
    return ReadModelBits(job.output().model());
  };
  const ModelBits one = bits("1");
  EXPECT_GT(one.size(), 1000u);
  EXPECT_EQ(bits("3"), one);
}

// The absolute path of a file of examples/data.
std::string Example(const std::string& file) {
  return (std::filesystem::current_path() / "examples/data" / file).string();
}

TEST(ModelsTest, SupportVectorMachineByItsDefaults) {
  const std::string text =
      absl::StrCat("data: {train: ", Example("a9a_123d_train.dummy"),
                   ", test: ", Example("a9a_123d_test.dummy"), ", format: dummy}\n");
  const v1::Metrics hinge = Trained(JobOf("model: {type: svm}\n" + text)).test();
  EXPECT_LE(hinge.loss(), .360);
  EXPECT_GE(hinge.accuracy(), .847);
  EXPECT_GE(hinge.auc(), .895);
  EXPECT_FALSE(hinge.has_logloss());
  const v1::Metrics squared =
      Trained(JobOf("model: {type: svm, loss: squared_hinge}\n" + text)).test();
  EXPECT_LE(squared.loss(), .430);
  EXPECT_GE(squared.accuracy(), .847);
}

TEST(ModelsTest, RegressionsWithLossesOfTheirOwn) {
  const std::string text = absl::StrCat("data: {train: ", Example("abalone_8d_train.libsvm"),
                                        ", test: ", Example("abalone_8d_train.libsvm"),
                                        ", format: libsvm, index_base: 1}\n");
  // The best that the model can do (by Newton's method) is a loss of .22157.
  const v1::Metrics poisson = Trained(JobOf("model: {type: poisson}\n" + text +
                                            "optimizer: {type: adam, learning_rate: 0.03}\n"
                                            "train: {epochs: 100, batch_size: 128}\n"))
                                  .test();
  EXPECT_LE(poisson.loss(), .2265);
  EXPECT_GE(poisson.loss(), .22157);
  EXPECT_GE(poisson.r2(), .49);
  const v1::Metrics huber =
      Trained(JobOf("model: {type: huber}\n" + text + "train: {epochs: 20, batch_size: 256}\n"))
          .test();
  EXPECT_LE(huber.loss(), 1.26);
  EXPECT_GE(huber.r2(), .40);
}

}  // namespace
}  // namespace seraph
