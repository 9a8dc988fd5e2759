// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/sgd.h"

#include "common/status_macros.h"
#include "server/optimizer/parameters.h"
#include "server/optimizer/proximal.h"

namespace seraph {
namespace {

class Sgd : public Optimizer {
 public:
  explicit Sgd(const OptimizerSpec& spec)
      : rate_(static_cast<float>(spec.learning_rate)),
        l1_(static_cast<float>(spec.l1)),
        l2_(static_cast<float>(spec.l2)) {}

  uint32_t StateWidth(uint32_t) const override { return 0; }

  void InitState(absl::Span<const float>, absl::Span<float>) const override {}

  void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
             float rate_scale) const override {
    const float rate = rate_ * rate_scale;
    const float threshold = rate * l1_;
    const float* gradient = gradients.data();
    for (float* weights : rows) {
      for (uint32_t d = 0; d < dim; ++d) {
        const float step = rate * (gradient[d] + l2_ * weights[d]);
        weights[d] = SoftThreshold(weights[d] - step, threshold);
      }
      gradient += dim;
    }
  }

 private:
  const float rate_;
  const float l1_;
  const float l2_;
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewSgd(const OptimizerSpec& spec) {
  RETURN_IF_ERROR(CheckPositive("sgd", "learning_rate", spec.learning_rate));
  RETURN_IF_ERROR(CheckNotNegative("sgd", "l1", spec.l1));
  RETURN_IF_ERROR(CheckNotNegative("sgd", "l2", spec.l2));
  return std::make_unique<Sgd>(spec);
}

}  // namespace seraph
