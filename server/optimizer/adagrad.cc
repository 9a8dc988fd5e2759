// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adagrad.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

constexpr float kMaxFloat = std::numeric_limits<float>::max();

class AdaGrad : public Optimizer {
 public:
  explicit AdaGrad(const OptimizerSpec& spec)
      : rate_(static_cast<float>(spec.learning_rate)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)),
        initial_(static_cast<float>(spec.initial_accumulator)),
        epsilon_(static_cast<float>(spec.epsilon)) {}

  uint32_t StateWidth(uint32_t dim) const override { return dim; }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    std::fill(state.begin(), state.end(), initial_);
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float base = rate_ * rate_scale;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* sums = weights + dim;
      for (uint32_t d = 0; d < dim; ++d) Step(base, gradient[d], &weights[d], &sums[d]);
      gradient += dim;
    }
  }

 private:
  void Step(float base, float gradient, float* weight, float* sum) const {
    const float h = gradient + l2_ * *weight;
    *sum = std::min(*sum + h * h, kMaxFloat);
    const float rate = *sum > 0 ? base / (std::sqrt(*sum) + epsilon_) : 0.0f;
    *weight = SoftThreshold(*weight - rate * h, rate * l1_);
  }

  const float rate_;
  const float l1_;
  const float l2_;
  const float initial_;
  const float epsilon_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewAdaGrad(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(CheckPositive("adagrad", "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckNotNegative("adagrad", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("adagrad", "l2", spec.l2));
  RETURN_IF_ERROR(CheckNotNegative("adagrad", "initial_accumulator", spec.initial_accumulator));
  RETURN_IF_ERROR(CheckNotNegative("adagrad", "epsilon", spec.epsilon));
  return std::make_unique<AdaGrad>(spec);
}

}  // namespace seraph
