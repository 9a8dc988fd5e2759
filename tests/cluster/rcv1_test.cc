// SPDX-License-Identifier: Apache-2.0
// Losses and gradients that difacto states for its hundred rows of RCV1 (tests/cpp of
// dmlc/difacto), at weights w_i = i / 5e4 and factors v_ij = i j / 5e5 with i the index as written
// in the file: through the tables of a cluster and the step that workers take.
#include <memory>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/data/data_set.h"
#include "worker/model/registry.h"
#include "worker/train/stepper.h"

namespace seraph {
namespace {

constexpr uint32_t kFactors = 5;

class Rcv1Test : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto data =
        DataSet::Open({{.path = "examples/data/rcv1_100.libsvm",
                        .format = {.format = "libsvm", .index_base = 1}}},
                      {.labels = LabelMap::Binary(), .bad_rows = {}, .spill_folder = {}});
    ASSERT_OK(data);
    const auto index = (*data)->BuildIndex();
    ASSERT_OK(index);
    for (const Block& block : index->blocks) {
      ASSERT_OK((*data)->ReadBlock(block, {}, [&](uint32_t, const Row& row) {
        builder_.Add(row);
        return absl::OkStatus();
      }));
    }
    ASSERT_EQ(batch().rows(), 100u);
    ASSERT_EQ(batch().values.size(), 9648u);
  }

  const Batch& batch() const { return builder_.batch(); }

  // A table whose push of a gradient g takes g itself from the row, holding the stated values.
  void OpenTable(const ModelTable& wanted) {
    TableSpec spec;
    spec.name = wanted.name;
    spec.kind = wanted.kind;
    spec.dim = wanted.dim;
    spec.optimizer = {.type = "sgd", .learning_rate = 1};
    spec.sync.mode = SyncSpec::Mode::kAsp;
    spec.sync.reduce = SyncSpec::Reduce::kSum;
    tables_.push_back(client_->OpenOrCreateTable(spec).value());
    std::vector<float>& values = stated_.emplace_back();
    for (const uint64_t key : batch().keys) {
      const auto i = static_cast<double>(key + 1);
      for (uint32_t j = 1; j <= wanted.dim; ++j) {
        values.push_back(static_cast<float>(wanted.name == "weights" ? i / 5e4 : i * j / 5e5));
      }
    }
    ASSERT_OK(client_->Push(PushKind::kAssign, {{&tables_.back(), batch().keys, values}}));
  }

  // One step over the whole batch: its loss before it.
  double Learn(const Model::Options& options) {
    const std::unique_ptr<Model> model = NewModel(options).value();
    for (const ModelTable& table : model->tables()) OpenTable(table);
    Stepper stepper(model.get(), backend_.get(), client_.get(), tables_);
    return stepper.Learn(batch()).value();
  }

  // Of what the step took from table t.
  double SumOfSquaredGradients(size_t t) {
    std::vector<float> after(stated_[t].size());
    EXPECT_OK(client_->Pull({{&tables_[t], batch().keys, absl::MakeSpan(after)}}));
    double squares = 0;
    for (size_t i = 0; i < after.size(); ++i) {
      const double gradient = static_cast<double>(stated_[t][i]) - after[i];
      squares += gradient * gradient;
    }
    return squares;
  }

  TestCluster cluster_{{.servers = 3, .executors = 2}};
  const std::unique_ptr<Client> client_ = cluster_.Connect("rcv1");
  const std::unique_ptr<Backend> backend_ = NewCpuBackend();
  BatchBuilder builder_;
  std::vector<Table> tables_;
  std::vector<std::vector<float>> stated_;  // By table.
};

TEST_F(Rcv1Test, LogisticRegressionHasTheStatedLossAndGradient) {
  EXPECT_NEAR(Learn({.type = "lr", .bias = false}), 147.4672, 1e-4);
  EXPECT_NEAR(SumOfSquaredGradients(0), 90.5817, 1e-4);
}

TEST_F(Rcv1Test, FactorizationMachineHasTheStatedLoss) {
  EXPECT_NEAR(Learn({.type = "fm", .factors = kFactors, .bias = false}), 330.628, 1e-3);
}

}  // namespace
}  // namespace seraph
