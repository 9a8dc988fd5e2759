// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adam.h"

#include <algorithm>
#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

double Shrink(double weight, double threshold) {
  return std::copysign(std::max(0.0, std::abs(weight) - threshold), weight);
}

class AdamOracle : public CoordinateOracle {
 public:
  AdamOracle(const OptimizerSpec& spec, double weight) : spec_(spec), w_(weight) {}

  double Step(double gradient, double rate_scale) override {
    ++t_;
    const double h = gradient + spec_.l2 * w_;
    m_ = spec_.beta1 * m_ + (1 - spec_.beta1) * h;
    v_ = spec_.beta2 * v_ + (1 - spec_.beta2) * h * h;
    const double root = std::sqrt(v_ / (1 - std::pow(spec_.beta2, t_))) + spec_.epsilon;
    const double rate = root > 0 ? rate_scale * spec_.learning_rate / root : 0;
    const double moved = w_ - rate * m_ / (1 - std::pow(spec_.beta1, t_));
    return w_ = Shrink(moved, rate * spec_.l1);
  }

 private:
  const OptimizerSpec spec_;
  double w_;
  double m_ = 0;
  double v_ = 0;
  int t_ = 0;
};

OptimizerSpec Spec(double learning_rate, double beta1, double beta2, double epsilon, double l1 = 0,
                   double l2 = 0) {
  OptimizerSpec spec;
  spec.type = "adam";
  spec.learning_rate = learning_rate;
  spec.beta1 = beta1;
  spec.beta2 = beta2;
  spec.epsilon = epsilon;
  spec.l1 = l1;
  spec.l2 = l2;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          EachCoordinate<AdamOracle>(),
          {{Spec(0, 0.9, 0.999, 1e-8), "learning_rate 0"},
           {Spec(0.1, 1, 0.999, 1e-8), "beta1 1"},
           {Spec(0.1, 0.9, -1, 1e-8), "beta2 -1"},
           {Spec(0.1, 0.9, 0.999, -1), "epsilon -1"},
           {Spec(0.1, 0.9, 0.999, 1e-8, -1), "l1 -1"},
           {Spec(0.1, 0.9, 0.999, 1e-8, 0, -1), "l2 -1"}}};
}

INSTANTIATE_TEST_SUITE_P(Adam, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.01, 0.9, 0.999, 1e-8)),
                                           Contract(Spec(0.01, 0.5, 0.9, 1e-3, 0.05, 0.1)),
                                           Contract(Spec(0.01, 0, 0, 1e-2))));

float StepOnce(const Optimizer& optimizer, float* row, float gradient) {
  optimizer.Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
  return row[0];
}

TEST(AdamTest, FirstStepIsTheRateWhateverTheGradientsSize) {
  const auto optimizer = NewAdam(Spec(0.25, 0.9, 0.999, 0));
  ASSERT_OK(optimizer);
  for (const float gradient : {1e-3f, 1.0f, 1e3f}) {
    float row[] = {1.0f, 0.0f, 0.0f, 0.0f};
    EXPECT_NEAR(StepOnce(**optimizer, row, gradient), 0.75f, 1e-6);
    EXPECT_EQ(row[3], 1.0f);  // One touch.
  }
}

// As many touches as a float counts: the corrections are 1 and stay so.
TEST(AdamTest, TheCountStopsWhereFloatsDo) {
  const auto optimizer = NewAdam(Spec(0.1, 0.9, 0.999, 1e-8));
  ASSERT_OK(optimizer);
  float row[] = {1.0f, 0.1f, 0.01f, 16777216.0f};
  StepOnce(**optimizer, row, 1.0f);
  EXPECT_EQ(row[3], 16777216.0f);
}

}  // namespace
}  // namespace seraph
