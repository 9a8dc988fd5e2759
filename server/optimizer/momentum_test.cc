// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/momentum.h"

#include <algorithm>
#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

double Shrink(double weight, double threshold) {
  return std::copysign(std::max(0.0, std::abs(weight) - threshold), weight);
}

class MomentumOracle : public CoordinateOracle {
 public:
  MomentumOracle(const OptimizerSpec& spec, double weight) : spec_(spec), w_(weight) {}

  double Step(double gradient, double rate_scale) override {
    velocity_ = spec_.momentum * velocity_ + gradient + spec_.l2 * w_;
    return w_ = Shrink(w_ - rate_scale * spec_.learning_rate * velocity_,
                       rate_scale * spec_.learning_rate * spec_.l1);
  }

 private:
  const OptimizerSpec spec_;
  double w_;
  double velocity_ = 0;
};

OptimizerSpec Spec(double learning_rate, double momentum, double l1, double l2) {
  OptimizerSpec spec;
  spec.type = "momentum";
  spec.learning_rate = learning_rate;
  spec.momentum = momentum;
  spec.l1 = l1;
  spec.l2 = l2;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          EachCoordinate<MomentumOracle>(),
          {{Spec(0, 0.9, 0, 0), "learning_rate 0"},
           {Spec(0.1, 1, 0, 0), "momentum 1"},
           {Spec(0.1, -0.5, 0, 0), "momentum -0.5"},
           {Spec(0.1, std::nan(""), 0, 0), "momentum nan"},
           {Spec(0.1, 0.9, -1, 0), "l1 -1"},
           {Spec(0.1, 0.9, 0, -2), "l2 -2"}}};
}

INSTANTIATE_TEST_SUITE_P(Momentum, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.02, 0.9, 0, 0)),
                                           Contract(Spec(0.02, 0.5, 0.1, 0.1)),
                                           Contract(Spec(0.05, 0, 0.2, 0))));

float StepOnce(const Optimizer& optimizer, float* row, float gradient) {
  optimizer.Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
  return row[0];
}

TEST(MomentumTest, TheBallKeepsRollingByHand) {
  const auto momentum = NewMomentum(Spec(0.5, 0.5, 0, 0));
  ASSERT_OK(momentum);
  float row[] = {1.0f, 0.0f};
  EXPECT_EQ(StepOnce(**momentum, row, 1.0f), 0.5f);     // v = 1
  EXPECT_EQ(StepOnce(**momentum, row, 0.0f), 0.25f);    // v = 0.5
  EXPECT_EQ(StepOnce(**momentum, row, 1.0f), -0.375f);  // v = 1.25
}

// With a constant gradient the steps grow to lr g / (1 - momentum).
TEST(MomentumTest, SpeedTendsToItsLimit) {
  const auto momentum = NewMomentum(Spec(0.1, 0.9, 0, 0));
  ASSERT_OK(momentum);
  float row[] = {0.0f, 0.0f};
  for (int step = 0; step < 300; ++step) StepOnce(**momentum, row, 1.0f);
  const float before = row[0];
  EXPECT_NEAR(before - StepOnce(**momentum, row, 1.0f), 1.0f, 1e-4);
}

}  // namespace
}  // namespace seraph
