// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/rmsprop.h"

#include <algorithm>
#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

double Shrink(double weight, double threshold) {
  return std::copysign(std::max(0.0, std::abs(weight) - threshold), weight);
}

class RmsPropOracle : public CoordinateOracle {
 public:
  RmsPropOracle(const OptimizerSpec& spec, double weight) : spec_(spec), w_(weight) {}

  double Step(double gradient, double rate_scale) override {
    const double h = gradient + spec_.l2 * w_;
    mean_ = spec_.rho * mean_ + (1 - spec_.rho) * h * h;
    const double root = std::sqrt(mean_) + spec_.epsilon;
    const double rate = root > 0 ? rate_scale * spec_.learning_rate / root : 0;
    return w_ = Shrink(w_ - rate * h, rate * spec_.l1);
  }

 private:
  const OptimizerSpec spec_;
  double w_;
  double mean_ = 0;
};

OptimizerSpec Spec(double learning_rate, double rho, double l1, double l2, double epsilon) {
  OptimizerSpec spec;
  spec.type = "rmsprop";
  spec.learning_rate = learning_rate;
  spec.rho = rho;
  spec.l1 = l1;
  spec.l2 = l2;
  spec.epsilon = epsilon;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          EachCoordinate<RmsPropOracle>(),
          {{Spec(0, 0.9, 0, 0, 0), "learning_rate 0"},
           {Spec(0.1, 1, 0, 0, 0), "rho 1"},
           {Spec(0.1, 0.99999999999, 0, 0, 0), "rho 1"},
           {Spec(0.1, 0.9, -1, 0, 0), "l1 -1"},
           {Spec(0.1, 0.9, 0, -2, 0), "l2 -2"},
           {Spec(0.1, 0.9, 0, 0, -3), "epsilon -3"}}};
}

INSTANTIATE_TEST_SUITE_P(RmsProp, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.01, 0.9, 0, 0, 1e-8)),
                                           Contract(Spec(0.01, 0.5, 0.05, 0.1, 1e-3)),
                                           Contract(Spec(0.01, 0, 0, 0, 1e-4))));

float StepOnce(const Optimizer& optimizer, float* row, float gradient) {
  optimizer.Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
  return row[0];
}

TEST(RmsPropTest, FirstStepIsTheRateOverTheRootOfItsShare) {
  const auto rmsprop = NewRmsProp(Spec(0.1, 0.75, 0, 0, 0));
  ASSERT_OK(rmsprop);
  for (const float gradient : {1e-3f, 1.0f, 1e3f}) {
    float row[] = {0.0f, 0.0f};
    EXPECT_NEAR(StepOnce(**rmsprop, row, gradient), -0.2f, 1e-6);  // 0.1 / sqrt(1 - 0.75)
  }
}

TEST(RmsPropTest, WithoutAnyGradientNothingMoves) {
  const auto rmsprop = NewRmsProp(Spec(0.1, 0.9, 1, 0, 0));
  ASSERT_OK(rmsprop);
  float row[] = {0.5f, 0.0f};
  EXPECT_EQ(StepOnce(**rmsprop, row, 0.0f), 0.5f);
}

}  // namespace
}  // namespace seraph
