// SPDX-License-Identifier: Apache-2.0
#include "worker/model/lr.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class LogisticRegressionModel : public WeightedSumModel {
 public:
  explicit LogisticRegressionModel(bool bias) : WeightedSumModel(bias) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kBinary; }
  double Loss(float margin, float label) const override { return LogisticLoss(margin, label); }
  double Prediction(float margin) const override { return Sigmoid(margin); }

 private:
  double Slope(float margin, float label) const override { return LogisticSlope(margin, label); }
};

}  // namespace

std::unique_ptr<Model> NewLogisticRegressionModel(const Model::Options& options) {
  return std::make_unique<LogisticRegressionModel>(options.bias);
}

}  // namespace seraph
