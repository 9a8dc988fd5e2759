// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/rowwise_adagrad.h"

#include <algorithm>
#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

double Shrink(double weight, double threshold) {
  return std::copysign(std::max(0.0, std::abs(weight) - threshold), weight);
}

class RowwiseAdaGradOracle : public RowOracle {
 public:
  RowwiseAdaGradOracle(const OptimizerSpec& spec, const std::vector<double>& weights)
      : spec_(spec), weights_(weights), sum_(spec.initial_accumulator) {}

  std::vector<double> Step(const std::vector<float>& gradients, double rate_scale) override {
    std::vector<double> h;
    for (size_t d = 0; d < weights_.size(); ++d) {
      h.push_back(gradients[d] + spec_.l2 * weights_[d]);
      sum_ += h[d] * h[d] / static_cast<double>(weights_.size());
    }
    if (sum_ == 0) return weights_;
    const double rate = rate_scale * spec_.learning_rate / (std::sqrt(sum_) + spec_.epsilon);
    for (size_t d = 0; d < weights_.size(); ++d) {
      weights_[d] = Shrink(weights_[d] - rate * h[d], rate * spec_.l1);
    }
    return weights_;
  }

 private:
  const OptimizerSpec spec_;
  std::vector<double> weights_;
  double sum_;
};

OptimizerSpec Spec(double learning_rate, double l1, double l2, double initial_accumulator,
                   double epsilon) {
  OptimizerSpec spec;
  spec.type = "rowwise_adagrad";
  spec.learning_rate = learning_rate;
  spec.l1 = l1;
  spec.l2 = l2;
  spec.initial_accumulator = initial_accumulator;
  spec.epsilon = epsilon;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          [](const OptimizerSpec& spec, const std::vector<double>& weights) {
            return std::make_unique<RowwiseAdaGradOracle>(spec, weights);
          },
          {{Spec(0, 0, 0, 0, 0), "learning_rate 0"},
           {Spec(0.1, -1, 0, 0, 0), "l1 -1"},
           {Spec(0.1, 0, -2, 0, 0), "l2 -2"},
           {Spec(0.1, 0, 0, -3, 0), "initial_accumulator -3"},
           {Spec(0.1, 0, 0, 0, -4), "epsilon -4"}}};
}

INSTANTIATE_TEST_SUITE_P(RowwiseAdaGrad, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.1, 0, 0, 0, 1e-10)),
                                           Contract(Spec(0.1, 0.05, 0.1, 0.1, 1e-8)),
                                           Contract(Spec(0.5, 0, 0.01, 1, 0))));

float StepOnce(const Optimizer& optimizer, float* row, float gradient) {
  optimizer.Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
  return row[0];
}

TEST(RowwiseAdaGradTest, OneRateServesTheRow) {
  const auto optimizer = NewRowwiseAdaGrad(Spec(1, 0, 0, 0, 0));
  ASSERT_OK(optimizer);
  float row[] = {0.0f, 0.0f, 0.0f};
  float* const rows[] = {row};
  const float gradients[] = {1.0f, 7.0f};
  (*optimizer)->Apply(2, rows, gradients, 1.0f);  // Mean square 25.
  EXPECT_FLOAT_EQ(row[0], -0.2f);
  EXPECT_FLOAT_EQ(row[1], -1.4f);
  EXPECT_EQ(row[2], 25.0f);
}

TEST(RowwiseAdaGradTest, ARowOfOneIsAdaGrad) {
  const auto optimizer = NewRowwiseAdaGrad(Spec(0.25, 0, 0, 9, 0));
  ASSERT_OK(optimizer);
  float row[] = {1.0f, 9.0f};
  EXPECT_FLOAT_EQ(StepOnce(**optimizer, row, 4.0f), 1.0f - 0.25f * 4.0f / 5.0f);
}

}  // namespace
}  // namespace seraph
