// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/rowwise_adagrad.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

constexpr double kMaxFloat = std::numeric_limits<float>::max();

class RowwiseAdaGrad : public Optimizer {
 public:
  explicit RowwiseAdaGrad(const OptimizerSpec& spec)
      : rate_(static_cast<float>(spec.learning_rate)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)),
        initial_(static_cast<float>(spec.initial_accumulator)),
        epsilon_(static_cast<float>(spec.epsilon)) {}

  uint32_t StateWidth(uint32_t) const override { return 1; }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    state[0] = initial_;
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float base = rate_ * rate_scale;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      Step(base, dim, gradient, weights);
      gradient += dim;
    }
  }

 private:
  void Step(float base, uint32_t dim, const float* gradient, float* weights) const {
    double squares = 0;  // In double: a row of large gradients has a finite mean square.
    for (uint32_t d = 0; d < dim; ++d) {
      const double h = gradient[d] + l2_ * weights[d];
      squares += h * h;
    }
    float* sum = weights + dim;
    *sum = static_cast<float>(std::min(*sum + squares / dim, kMaxFloat));
    const float rate = *sum > 0 ? base / (std::sqrt(*sum) + epsilon_) : 0.0f;
    for (uint32_t d = 0; d < dim; ++d) {
      const float h = gradient[d] + l2_ * weights[d];
      weights[d] = SoftThreshold(weights[d] - rate * h, rate * l1_);
    }
  }

  const float rate_;
  const float l1_;
  const float l2_;
  const float initial_;
  const float epsilon_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewRowwiseAdaGrad(const OptimizerSpec& spec) {
  constexpr char kName[] = "rowwise_adagrad";
  RETURN_IF_ERROR(CheckPositive(kName, "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckNotNegative(kName, "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative(kName, "l2", spec.l2));
  RETURN_IF_ERROR(CheckNotNegative(kName, "initial_accumulator", spec.initial_accumulator));
  RETURN_IF_ERROR(CheckNotNegative(kName, "epsilon", spec.epsilon));
  return std::make_unique<RowwiseAdaGrad>(spec);
}

}  // namespace seraph
