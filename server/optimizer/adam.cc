// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adam.h"

#include <algorithm>

#include "common/status_macros.h"
#include "server/optimizer/moments.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

class Adam : public Optimizer {
 public:
  explicit Adam(const OptimizerSpec& spec)
      : moments_(spec), l1_(static_cast<float>(spec.l1)), l2_(static_cast<float>(spec.l2)) {}

  uint32_t StateWidth(uint32_t dim) const override { return AdamMoments::StateWidth(dim); }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.0f);
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows,
             absl::Span<const float> gradients) const override {
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      float* m = weights + dim;
      float* v = m + dim;
      const AdamMoments::Correction correction = moments_.CountTouch(v + dim);
      for (uint32_t d = 0; d < dim; ++d) {
        const float h = gradient[d] + l2_ * weights[d];
        const AdamMoments::Step step = moments_.Learn(h, correction, &m[d], &v[d]);
        weights[d] = SoftThreshold(weights[d] - step.rate * step.direction, step.rate * l1_);
      }
      gradient += dim;
    }
  }

 private:
  const AdamMoments moments_;
  const float l1_;
  const float l2_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewAdam(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(AdamMoments::Check("adam", spec));
  RETURN_IF_ERROR(CheckNotNegative("adam", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("adam", "l2", spec.l2));
  return std::make_unique<Adam>(spec);
}

}  // namespace seraph
