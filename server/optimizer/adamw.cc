// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/adamw.h"

#include <algorithm>

#include "common/status_macros.h"
#include "server/optimizer/moments.h"
#include "server/optimizer/parameters.h"

namespace seraph {
namespace {

class AdamW : public Optimizer {
 public:
  explicit AdamW(const OptimizerSpec& spec)
      : moments_(spec),
        l1_(static_cast<float>(spec.l1)),
        decay_(static_cast<float>(spec.learning_rate * spec.weight_decay)) {}

  uint32_t StateWidth(uint32_t dim) const override { return AdamMoments::StateWidth(dim); }

  void InitState(absl::Span<const float>, absl::Span<float> state) const override {
    std::fill(state.begin(), state.end(), 0.0f);
  }

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float decay = decay_ * rate_scale;
    moments_.Apply(
        dim, rows, gradients, rate_scale, l1_, [](float g, float) { return g; },
        [decay](float w) { return w - decay * w; });
  }

 private:
  const AdamMoments moments_;
  const float l1_;
  const float decay_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewAdamW(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(AdamMoments::Check("adamw", spec));
  RETURN_IF_ERROR(CheckNotNegative("adamw", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("adamw", "weight_decay", spec.weight_decay));
  return std::make_unique<AdamW>(spec);
}

}  // namespace seraph
