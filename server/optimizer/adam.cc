// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adam.h"

#include <algorithm>

#include "common/status_macros.h"
#include "server/optimizer/moments.h"
#include "server/optimizer/parameters.h"

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

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    moments_.Apply(
        dim, rows, gradients, rate_scale, l1_, [this](float g, float w) { return g + l2_ * w; },
        [](float w) { return w; });
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
