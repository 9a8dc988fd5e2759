// SPDX-License-Identifier: Apache-2.0
#include "worker/model/svm.h"

#include <algorithm>

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class SvmModel : public OneOutputModel {
 public:
  SvmModel(bool bias, bool squared) : OneOutputModel(bias), squared_(squared) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kMargin; }

 private:
  static double Sign(float label) { return label > 0.5f ? 1 : -1; }
  // How far the row is from the right side of its margin.
  static double Gap(float margin, float label) { return std::max(0.0, 1 - Sign(label) * margin); }

  double LossOf(float margin, float label) const override {
    const double gap = Gap(margin, label);
    return squared_ ? gap * gap : gap;
  }
  double SlopeOf(float margin, float label) const override {
    const double gap = Gap(margin, label);
    if (squared_) return -2 * Sign(label) * gap;
    return gap > 0 ? -Sign(label) : 0;
  }
  double PredictionOf(float margin) const override { return margin; }

  const bool squared_;
};

}  // namespace

std::unique_ptr<Model> NewSvmModel(const Model::Options& options) {
  return std::make_unique<SvmModel>(options.bias, options.loss == "squared_hinge");
}

}  // namespace seraph
