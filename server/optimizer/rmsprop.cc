// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/rmsprop.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

constexpr float kMaxFloat = std::numeric_limits<float>::max();

class RmsProp : public Optimizer {
 public:
  explicit RmsProp(const OptimizerSpec& spec)
      : rate_(static_cast<float>(spec.learning_rate)),
        rho_(static_cast<float>(spec.rho)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)),
        epsilon_(static_cast<float>(spec.epsilon)) {}

  uint32_t StateWidth(uint32_t dim) const override { return dim; }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.0f);
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float base = rate_ * rate_scale;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* means = weights + dim;
      for (uint32_t d = 0; d < dim; ++d) Step(base, gradient[d], &weights[d], &means[d]);
      gradient += dim;
    }
  }

 private:
  void Step(float base, float gradient, float* weight, float* mean) const {
    const float h = gradient + l2_ * *weight;
    *mean = std::min(rho_ * *mean + (1 - rho_) * h * h, kMaxFloat);
    const float root = std::sqrt(*mean) + epsilon_;
    const float rate = root > 0 ? base / root : 0.0f;
    *weight = SoftThreshold(*weight - rate * h, rate * l1_);
  }

  const float rate_;
  const float rho_;
  const float l1_;
  const float l2_;
  const float epsilon_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewRmsProp(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(CheckPositive("rmsprop", "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckFraction("rmsprop", "rho", spec.rho));
  RETURN_IF_ERROR(CheckNotNegative("rmsprop", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("rmsprop", "l2", spec.l2));
  RETURN_IF_ERROR(CheckNotNegative("rmsprop", "epsilon", spec.epsilon));
  return std::make_unique<RmsProp>(spec);
}

}  // namespace seraph
