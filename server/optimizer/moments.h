// SPDX-License-Identifier: Apache-2.0
// What Adam and AdamW have in common: the moments of a row's gradients and the step they give.
#ifndef SERAPH_SERVER_OPTIMIZER_MOMENTS_H_
#define SERAPH_SERVER_OPTIMIZER_MOMENTS_H_

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {

// Symbols as in adam.h. A row's state is m[dim], v[dim], t. Immutable.
class AdamMoments {
 public:
  static absl::Status Check(const std::string& optimizer, const OptimizerSpec& spec) {
    RETURN_IF_ERROR(CheckPositive(optimizer, "learning_rate", spec.learning_rate));
    RETURN_IF_ERROR(CheckFraction(optimizer, "beta1", spec.beta1));
    RETURN_IF_ERROR(CheckFraction(optimizer, "beta2", spec.beta2));
    return CheckNotNegative(optimizer, "epsilon", spec.epsilon);
  }

  explicit AdamMoments(const OptimizerSpec& spec)
      : learning_rate_(static_cast<float>(spec.learning_rate)),
        beta1_(static_cast<float>(spec.beta1)),
        beta2_(static_cast<float>(spec.beta2)),
        epsilon_(static_cast<float>(spec.epsilon)) {}

  static uint32_t StateWidth(uint32_t dim) { return 2 * dim + 1; }

  // Optimizer::Apply: of each coordinate `gradient_of(g, w)` is h, and its step with the threshold
  // r l1 starts from `start_of(w)`.
  template <typename GradientOf, typename StartOf>
  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale, float l1, const GradientOf& gradient_of,
             const StartOf& start_of) const {
    const float base = learning_rate_ * rate_scale;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* m = weights + dim;
      float* v = m + dim;
      const Correction correction = CountTouch(v + dim);
      for (uint32_t d = 0; d < dim; ++d) {
        const float h = gradient_of(gradient[d], weights[d]);
        const Step step = Learn(base, h, correction, &m[d], &v[d]);
        weights[d] =
            SoftThreshold(start_of(weights[d]) - step.rate * step.direction, step.rate * l1);
      }
      gradient += dim;
    }
  }

 private:
  // Counts a touch. Returns what turns m and v into their means without the zeros they started
  // from: 1 / (1 - beta^t) each.
  struct Correction {
    float first;
    float second;
  };
  Correction CountTouch(float* t) const {
    *t = std::min(*t + 1, kLargestCount);
    return {static_cast<float>(1 / (1 - std::pow(static_cast<double>(beta1_), *t))),
            static_cast<float>(1 / (1 - std::pow(static_cast<double>(beta2_), *t)))};
  }

  // A coordinate's rate r, and what it multiplies.
  struct Step {
    float rate;
    float direction;
  };
  Step Learn(float base, float h, const Correction& correction, float* m, float* v) const {
    *m = beta1_ * *m + (1 - beta1_) * h;
    *v = std::min(beta2_ * *v + (1 - beta2_) * h * h, std::numeric_limits<float>::max());
    const float root = std::sqrt(*v * correction.second) + epsilon_;
    return {root > 0 ? base / root : 0.0f, *m * correction.first};
  }

  // Floats count no further, and the corrections are 1 long before.
  static constexpr float kLargestCount = 16777216;

  const float learning_rate_;
  const float beta1_;
  const float beta2_;
  const float epsilon_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_MOMENTS_H_
