// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/ftrl.h"

#include <cmath>

#include "tests/contract/optimizer_contract.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

// Keeps the problem that FTRL-Proximal solves at each touch, as the header states it, and minimises
// it afresh: linear * w + quadratic/2 w^2 + l1 |w|, in which a fresh row is a first proximal term.
class FtrlOracle : public CoordinateOracle {
 public:
  FtrlOracle(const OptimizerSpec& spec, double weight) : spec_(spec), w_(weight) {
    squares_ = spec.initial_accumulator;
    quadratic_ = (spec.beta + std::sqrt(squares_)) / spec.learning_rate + spec.l2;
    // Stationary at the initial weight: linear + quadratic w + l1 sign(w) = 0.
    linear_ = weight == 0 ? 0 : -quadratic_ * weight - (weight > 0 ? spec.l1 : -spec.l1);
  }

  double Step(double gradient, double) override {
    const double before = std::sqrt(squares_);
    squares_ += gradient * gradient;
    const double s = (std::sqrt(squares_) - before) / spec_.learning_rate;
    linear_ += gradient - s * w_;
    quadratic_ += s;
    if (linear_ > spec_.l1) return w_ = (spec_.l1 - linear_) / quadratic_;
    if (linear_ < -spec_.l1) return w_ = (-spec_.l1 - linear_) / quadratic_;
    return w_ = 0;
  }

 private:
  const OptimizerSpec spec_;
  double w_;
  double squares_;
  double quadratic_;
  double linear_;
};

OptimizerSpec Spec(double alpha, double l1, double l2, double initial_accumulator, double beta) {
  OptimizerSpec spec;
  spec.type = "ftrl";
  spec.learning_rate = alpha;
  spec.l1 = l1;
  spec.l2 = l2;
  spec.initial_accumulator = initial_accumulator;
  spec.beta = beta;
  return spec;
}

OptimizerContract Contract(OptimizerSpec spec) {
  return {std::move(spec),
          EachCoordinate<FtrlOracle>(),
          {{Spec(0, 0, 0, 0, 1), "learning_rate 0"},
           {Spec(std::nan(""), 0, 0, 0, 1), "learning_rate nan"},
           {Spec(0.1, -2, 0, 0, 1), "l1 -2"},
           {Spec(0.1, 0, -3, 0, 1), "l2 -3"},
           {Spec(0.1, 0, 0, -4, 1), "initial_accumulator -4"},
           {Spec(0.1, 0, 0, 0, -5), "beta -5"}},
          /*takes_schedules=*/false};
}

INSTANTIATE_TEST_SUITE_P(Ftrl, OptimizerContractTest,
                         ::testing::Values(Contract(Spec(0.1, 0, 0, 0, 1)),
                                           Contract(Spec(0.1, 2, 1, 0.1, 1)),
                                           Contract(Spec(0.5, 0.5, 0, 1, 0))));

class FtrlRow {
 public:
  FtrlRow(const OptimizerSpec& spec, float weight) : ftrl_(NewFtrl(spec).value()) {
    row_[0] = weight;
    ftrl_->InitState(absl::MakeConstSpan(row_, 1), absl::MakeSpan(row_ + 1, 2));
  }
  float Step(float gradient) {
    float* const row = row_;
    ftrl_->Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
    return row_[0];
  }
  void Set(float weight) {
    row_[0] = weight;
    ftrl_->WeightsChanged(absl::MakeConstSpan(row_, 1), absl::MakeSpan(row_ + 1, 2));
  }
  float z() const { return row_[1]; }
  float n() const { return row_[2]; }

 private:
  std::unique_ptr<Optimizer> ftrl_;
  float row_[3];
};

TEST(FtrlTest, FirstStepFromZeroByHand) {
  FtrlRow row(Spec(0.5, 1, 2, 0, 1), 0.0f);
  // n = 9, z = 3, w = -(3 - 1) / ((1 + 3) / 0.5 + 2).
  EXPECT_FLOAT_EQ(row.Step(3.0f), -0.2f);
  EXPECT_EQ(row.z(), 3.0f);
  EXPECT_EQ(row.n(), 9.0f);
}

TEST(FtrlTest, GradientsWithinL1KeepAZeroWeightAtExactlyZero) {
  FtrlRow row(Spec(0.5, 1, 0, 0, 1), 0.0f);
  EXPECT_EQ(row.Step(0.4f), 0.0f);
  EXPECT_EQ(row.Step(0.5f), 0.0f);
  EXPECT_LT(row.Step(0.5f), 0.0f);  // The sum, 1.4, has passed l1.
}

TEST(FtrlTest, FreshNonzeroWeightSurvivesAZeroGradient) {
  for (const float weight : {0.01f, -0.3f, 2.0f}) {
    FtrlRow row(Spec(0.1, 5, 1, 0.1, 1), weight);
    EXPECT_NEAR(row.Step(0.0f), weight, 1e-6);
  }
}

TEST(FtrlTest, StepsGoOnFromAnAssignedWeight) {
  FtrlRow row(Spec(0.1, 1, 1, 0.1, 1), 0.0f);
  row.Step(3.0f);
  const float n = row.n();
  row.Set(0.75f);
  EXPECT_EQ(row.n(), n);
  EXPECT_NEAR(row.Step(0.0f), 0.75f, 1e-6);
  row.Set(0.0f);
  EXPECT_EQ(row.Step(0.0f), 0.0f);
}

TEST(FtrlTest, AddingNothingToAZeroWeightKeepsItsGradientSum) {
  FtrlRow row(Spec(0.1, 1, 0, 0, 1), 0.0f);
  row.Step(0.75f);
  row.Set(0.0f);
  EXPECT_EQ(row.z(), 0.75f);
}

TEST(FtrlTest, WeightStaysWhereTheClosedFormHasNoValue) {
  FtrlRow row(Spec(0.1, 0, 0, 0, 0), 0.25f);
  EXPECT_EQ(row.Step(0.0f), 0.25f);
}

}  // namespace
}  // namespace seraph
