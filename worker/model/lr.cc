// SPDX-License-Identifier: Apache-2.0
#include "worker/model/lr.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class LogisticRegressionModel : public OneOutputModel {
 public:
  explicit LogisticRegressionModel(bool bias) : OneOutputModel(bias) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kBinary; }

 private:
  double LossOf(float margin, float label) const override { return LogisticLoss(margin, label); }
  double SlopeOf(float margin, float label) const override { return LogisticSlope(margin, label); }
  double PredictionOf(float margin) const override { return Sigmoid(margin); }
};

}  // namespace

std::unique_ptr<Model> NewLogisticRegressionModel(const Model::Options& options) {
  return std::make_unique<LogisticRegressionModel>(options.bias);
}

}  // namespace seraph
