// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/sgd.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

class SgdOracle : public CoordinateOracle {
 public:
  SgdOracle(const OptimizerSpec& spec, double weight) : spec_(spec), w_(weight) {}

  double Step(double gradient, double rate_scale) override {
    const double moved = w_ - rate_scale * spec_.learning_rate * (gradient + spec_.l2 * w_);
    const double shrunk = std::abs(moved) - rate_scale * spec_.learning_rate * spec_.l1;
    return w_ = std::copysign(std::max(0.0, shrunk), moved);
  }

 private:
  const OptimizerSpec spec_;
  double w_;
};

OptimizerSpec Spec(double learning_rate, double l1, double l2) {
  OptimizerSpec spec;
  spec.type = "sgd";
  spec.learning_rate = learning_rate;
  spec.l1 = l1;
  spec.l2 = l2;
  return spec;
}

OptimizerContract Contract(double l1, double l2) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  return {Spec(0.05, l1, l2),
          EachCoordinate<SgdOracle>(),
          {{Spec(0, 0, 0), "learning_rate 0"},
           {Spec(-0.1, 0, 0), "learning_rate -0.1"},
           {Spec(1e39, 0, 0), "learning_rate 1e+39"},
           {Spec(std::nan(""), 0, 0), "learning_rate nan"},
           {Spec(0.1, -1, 0), "l1 -1"},
           {Spec(0.1, kInf, 0), "l1 inf"},
           {Spec(0.1, 0, -1e-9), "l2 -1e-09"}}};
}

INSTANTIATE_TEST_SUITE_P(Sgd, OptimizerContractTest,
                         ::testing::Values(Contract(0, 0), Contract(0.3, 0), Contract(0.2, 0.1)));

TEST(SgdTest, OneStepByHand) {
  const auto sgd = NewSgd(Spec(0.5, 0, 0));
  ASSERT_OK(sgd);
  float row[] = {1.0f, -2.0f};
  float* const rows[] = {row};
  const float gradients[] = {1.0f, -4.0f};
  (*sgd)->Apply(2, rows, gradients, 1.0f);
  EXPECT_EQ(row[0], 0.5f);
  EXPECT_EQ(row[1], 0.0f);
}

TEST(SgdTest, L1MakesSmallWeightsExactlyZero) {
  const auto sgd = NewSgd(Spec(0.5, 1, 0));
  ASSERT_OK(sgd);
  float row[] = {0.25f, -0.75f};
  float* const rows[] = {row};
  const float gradients[] = {0.0f, 0.0f};
  (*sgd)->Apply(2, rows, gradients, 1.0f);
  EXPECT_EQ(row[0], 0.0f);
  EXPECT_EQ(row[1], -0.25f);
}

// The minimum of (w - 3)^2 / 2 + l2/2 w^2 + l1 |w| is (3 - l1) / (1 + l2).
TEST(SgdTest, SettlesWhereTheRegularisedObjectiveIsLeast) {
  const auto sgd = NewSgd(Spec(0.1, 1, 0.25));
  ASSERT_OK(sgd);
  float row[] = {0.0f};
  float* const rows[] = {row};
  for (int step = 0; step < 500; ++step) {
    const float gradient = row[0] - 3;
    (*sgd)->Apply(1, rows, absl::MakeConstSpan(&gradient, 1), 1.0f);
  }
  EXPECT_NEAR(row[0], 2 / 1.25, 1e-5);
}

}  // namespace
}  // namespace seraph
