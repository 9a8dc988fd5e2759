// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/momentum.h"

#include <algorithm>

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

class Momentum : public Optimizer {
 public:
  explicit Momentum(const OptimizerSpec& spec)
      : rate_(static_cast<float>(spec.learning_rate)),
        momentum_(static_cast<float>(spec.momentum)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)) {}

  uint32_t StateWidth(uint32_t dim) const override { return dim; }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.0f);
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float rate = rate_ * rate_scale;
    const float threshold = rate * l1_;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* velocity = weights + dim;
      for (uint32_t d = 0; d < dim; ++d) {
        velocity[d] = momentum_ * velocity[d] + (gradient[d] + l2_ * weights[d]);
        weights[d] = SoftThreshold(weights[d] - rate * velocity[d], threshold);
      }
      gradient += dim;
    }
  }

 private:
  const float rate_;
  const float momentum_;
  const float l1_;
  const float l2_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewMomentum(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(CheckPositive("momentum", "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckFraction("momentum", "momentum", spec.momentum));
  RETURN_IF_ERROR(CheckNotNegative("momentum", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("momentum", "l2", spec.l2));
  return std::make_unique<Momentum>(spec);
}

}  // namespace seraph
