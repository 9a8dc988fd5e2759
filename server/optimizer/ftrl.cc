// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/ftrl.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"

namespace seraph {
namespace {

constexpr float kMaxFloat = std::numeric_limits<float>::max();

class Ftrl : public Optimizer {
 public:
  explicit Ftrl(const OptimizerSpec& spec)
      : alpha_(static_cast<float>(spec.learning_rate)),
        beta_(static_cast<float>(spec.beta)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)),
        initial_n_(static_cast<float>(spec.initial_accumulator)) {}

  uint32_t StateWidth(uint32_t dim) const override { return 2 * dim; }

  void InitState(absl::Span<const float> weights, absl::Span<float> state) const override {
    const size_t dim = weights.size();
    std::fill(state.begin(), state.begin() + dim, 0.0f);
    std::fill(state.begin() + dim, state.end(), initial_n_);
    WeightsChanged(weights, state);
  }

  void WeightsChanged(absl::Span<const float> weights, absl::Span<float> state) const override {
    const size_t dim = weights.size();
    for (size_t d = 0; d < dim; ++d) {
      const float w = weights[d];
      if (w == 0 && std::fabs(state[d]) <= l1_) continue;  // Its closed form is 0 already.
      const float strength = Strength(std::sqrt(state[dim + d]));
      state[d] = w == 0 ? 0.0f : -w * strength - std::copysign(l1_, w);
    }
  }

  // The schedule is constant: NewFtrl sees to it.
  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float) const override {
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* z = weights + dim;
      float* n = z + dim;
      for (uint32_t d = 0; d < dim; ++d) Step(gradient[d], &weights[d], &z[d], &n[d]);
      gradient += dim;
    }
  }

 private:
  // How strongly the closed form is held, given sqrt(n).
  float Strength(float root) const { return (beta_ + root) / alpha_ + l2_; }

  void Step(float gradient, float* weight, float* z, float* n) const {
    const float root_before = std::sqrt(*n);
    *n = std::min(*n + gradient * gradient, kMaxFloat);
    const float root = std::sqrt(*n);
    *z += gradient - (root - root_before) / alpha_ * *weight;
    const float strength = Strength(root);
    if (strength == 0) return;
    // A NaN in z takes the second branch, so that divergence is seen.
    *weight = std::fabs(*z) <= l1_ ? 0.0f : -(*z - std::copysign(l1_, *z)) / strength;
  }

  const float alpha_;
  const float beta_;
  const float l1_;
  const float l2_;
  const float initial_n_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewFtrl(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(CheckPositive("ftrl", "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckNotNegative("ftrl", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("ftrl", "l2", spec.l2));
  RETURN_IF_ERROR(CheckNotNegative("ftrl", "initial_accumulator", spec.initial_accumulator));
  RETURN_IF_ERROR(CheckNotNegative("ftrl", "beta", spec.beta));
  if (!spec.schedule.constant()) {
    return absl::InvalidArgumentError(
        "optimizer ftrl: schedule has no place here: ftrl lowers the rate of each coordinate by "
        "its "
        "own gradients");
  }
  return std::make_unique<Ftrl>(spec);
}

}  // namespace seraph
