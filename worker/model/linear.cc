// SPDX-License-Identifier: Apache-2.0
#include "worker/model/linear.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class LinearModel : public OneOutputModel {
 public:
  explicit LinearModel(bool bias) : OneOutputModel(bias) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kRegression; }

 private:
  double LossOf(float margin, float label) const override { return SquaredLoss(margin, label); }
  double SlopeOf(float margin, float label) const override { return SquaredSlope(margin, label); }
  double PredictionOf(float margin) const override { return margin; }
};

}  // namespace

std::unique_ptr<Model> NewLinearModel(const Model::Options& options) {
  return std::make_unique<LinearModel>(options.bias);
}

}  // namespace seraph
