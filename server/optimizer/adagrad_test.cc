// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adagrad.h"

#include <algorithm>
#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

class AdaGradOracle : public CoordinateOracle {
 public:
  AdaGradOracle(const OptimizerSpec& spec, double weight)
      : spec_(spec), w_(weight), squares_(spec.initial_accumulator) {}

  double Step(double gradient, double rate_scale) override {
    const double h = gradient + spec_.l2 * w_;
    squares_ += h * h;
    if (squares_ == 0) return w_;
    const double rate = rate_scale * spec_.learning_rate / (std::sqrt(squares_) + spec_.epsilon);
    const double moved = w_ - rate * h;
    return w_ = std::copysign(std::max(0.0, std::abs(moved) - rate * spec_.l1), moved);
  }

 private:
  const OptimizerSpec spec_;
  double w_;
  double squares_;
};

OptimizerSpec Spec(double learning_rate, double l1, double l2, double initial_accumulator,
                   double epsilon) {
  OptimizerSpec spec;
  spec.type = "adagrad";
  spec.learning_rate = learning_rate;
  spec.l1 = l1;
  spec.l2 = l2;
  spec.initial_accumulator = initial_accumulator;
  spec.epsilon = epsilon;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          EachCoordinate<AdaGradOracle>(),
          {{Spec(0, 0, 0, 0, 1e-10), "learning_rate 0"},
           {Spec(1e-60, 0, 0, 0, 1e-10), "learning_rate 1e-60"},
           {Spec(0.1, -2, 0, 0, 1e-10), "l1 -2"},
           {Spec(0.1, 0, -3, 0, 1e-10), "l2 -3"},
           {Spec(0.1, 0, 0, -4, 1e-10), "initial_accumulator -4"},
           {Spec(0.1, 0, 0, std::nan(""), 1e-10), "initial_accumulator nan"},
           {Spec(0.1, 0, 0, 0, -5), "epsilon -5"}}};
}

INSTANTIATE_TEST_SUITE_P(AdaGrad, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.1, 0, 0, 0, 1e-10)),
                                           Contract(Spec(0.1, 0.05, 0.1, 0.1, 1e-8)),
                                           Contract(Spec(0.5, 0, 0.01, 1, 0))));

float StepOnce(const Optimizer& optimizer, float* row, float gradient) {
  optimizer.Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
  return row[0];
}

TEST(AdaGradTest, FirstStepIsTheRateWhateverTheGradientsSize) {
  const auto adagrad = NewAdaGrad(Spec(0.25, 0, 0, 0, 0));
  ASSERT_OK(adagrad);
  for (const float gradient : {1e-3f, 1.0f, 1e3f}) {
    float row[] = {1.0f, 0.0f};
    EXPECT_NEAR(StepOnce(**adagrad, row, gradient), 0.75f, 1e-6);
  }
}

TEST(AdaGradTest, SumsStartAtTheInitialAccumulator) {
  const auto adagrad = NewAdaGrad(Spec(1, 0, 0, 9, 0));
  ASSERT_OK(adagrad);
  float row[] = {0.0f, 0.0f};
  (*adagrad)->InitState(absl::MakeConstSpan(row, 1), absl::MakeSpan(row + 1, 1));
  EXPECT_EQ(row[1], 9.0f);
  EXPECT_FLOAT_EQ(StepOnce(**adagrad, row, 4.0f), -4.0f / 5.0f);
  EXPECT_EQ(row[1], 25.0f);
}

TEST(AdaGradTest, CoordinateThatNeverHadAGradientStaysDespiteL1) {
  const auto adagrad = NewAdaGrad(Spec(0.1, 1, 0, 0, 1e-10));
  ASSERT_OK(adagrad);
  float row[] = {0.5f, 0.0f};
  EXPECT_EQ(StepOnce(**adagrad, row, 0.0f), 0.5f);
}

}  // namespace
}  // namespace seraph
