// SPDX-License-Identifier: Apache-2.0
// Losses and gradients that difacto states for its hundred rows of RCV1 (tests/cpp of
// dmlc/difacto), at weights w_i = i / 5e4 and factors v_ij = i j / 5e5 with i the index as written
// in the file.
#include <memory>
#include <vector>

#include "absl/types/span.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/data/data_set.h"
#include "worker/model/registry.h"

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
    const Batch& batch = builder_.batch();
    ASSERT_EQ(batch.rows(), 100u);
    ASSERT_EQ(batch.values.size(), 9648u);
    for (const uint64_t key : batch.keys) {
      const auto i = static_cast<double>(key + 1);
      weights_.push_back(static_cast<float>(i / 5e4));
      for (uint32_t j = 1; j <= kFactors; ++j) {
        factors_.push_back(static_cast<float>(i * j / 5e5));
      }
    }
    margin_.resize(batch.rows());
  }

  double Loss(const Model& model, const ModelValues& values) {
    model.Margins(builder_.batch(), values, backend_.get(), absl::MakeSpan(margin_));
    double sum = 0;
    for (size_t r = 0; r < margin_.size(); ++r) {
      sum += model.Loss(margin_[r], builder_.batch().labels[r]);
    }
    return sum;
  }

  BatchBuilder builder_;
  std::vector<float> weights_;
  std::vector<float> factors_;
  std::vector<float> margin_;
  const std::unique_ptr<Backend> backend_ = NewCpuBackend();
};

TEST_F(Rcv1Test, LogisticRegressionHasTheStatedLossAndGradient) {
  const auto model = NewModel({.type = "lr", .bias = false}).value();
  const ModelValues values = {weights_};
  EXPECT_NEAR(Loss(*model, values), 147.4672, 1e-4);
  std::vector<float> gradient(weights_.size());
  model->Gradients(builder_.batch(), values, margin_, backend_.get(), {absl::MakeSpan(gradient)});
  double squares = 0;
  for (const float g : gradient) squares += static_cast<double>(g) * g;
  EXPECT_NEAR(squares, 90.5817, 1e-4);
}

TEST_F(Rcv1Test, FactorizationMachineHasTheStatedLoss) {
  const auto model = NewModel({.type = "fm", .factors = kFactors, .bias = false}).value();
  EXPECT_NEAR(Loss(*model, {weights_, factors_}), 330.628, 1e-3);
}

}  // namespace
}  // namespace seraph
