// SPDX-License-Identifier: Apache-2.0
#include "worker/model/linear.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class LinearModel : public WeightedSumModel {
 public:
  explicit LinearModel(bool bias) : WeightedSumModel(bias) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kRegression; }
  double Loss(float margin, float label) const override { return SquaredLoss(margin, label); }
  double Prediction(float margin) const override { return margin; }

 private:
  double Slope(float margin, float label) const override { return SquaredSlope(margin, label); }
};

}  // namespace

std::unique_ptr<Model> NewLinearModel(const Model::Options& options) {
  return std::make_unique<LinearModel>(options.bias);
}

}  // namespace seraph
