// SPDX-License-Identifier: Apache-2.0
#include "worker/model/huber.h"

#include <algorithm>
#include <cmath>

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class HuberModel : public OneOutputModel {
 public:
  HuberModel(bool bias, double delta) : OneOutputModel(bias), delta_(delta) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kValue; }

 private:
  double LossOf(float margin, float label) const override {
    const double error = std::abs(static_cast<double>(margin) - label);
    return error <= delta_ ? error * error / 2 : delta_ * (error - delta_ / 2);
  }
  double SlopeOf(float margin, float label) const override {
    return std::clamp(static_cast<double>(margin) - label, -delta_, delta_);
  }
  double PredictionOf(float margin) const override { return margin; }

  const double delta_;
};

}  // namespace

std::unique_ptr<Model> NewHuberModel(const Model::Options& options) {
  return std::make_unique<HuberModel>(options.bias, options.delta);
}

}  // namespace seraph
