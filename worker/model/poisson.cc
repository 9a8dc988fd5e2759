// SPDX-License-Identifier: Apache-2.0
#include "worker/model/poisson.h"

#include <cmath>

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

// The largest whole margin whose exponential a float holds: slopes are floats.
constexpr float kLargestMargin = 88;

class PoissonModel : public OneOutputModel {
 public:
  explicit PoissonModel(bool bias) : OneOutputModel(bias) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kValue; }
  bool counts() const override { return true; }
  float largest_margin() const override { return kLargestMargin; }

 private:
  double LossOf(float margin, float label) const override {
    const double y = label;
    return std::exp(static_cast<double>(margin)) - y + (y > 0 ? y * (std::log(y) - margin) : 0.0);
  }
  double SlopeOf(float margin, float label) const override {
    return std::exp(static_cast<double>(margin)) - label;
  }
  double PredictionOf(float margin) const override { return std::exp(static_cast<double>(margin)); }
};

}  // namespace

std::unique_ptr<Model> NewPoissonModel(const Model::Options& options) {
  return std::make_unique<PoissonModel>(options.bias);
}

}  // namespace seraph
