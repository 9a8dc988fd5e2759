// SPDX-License-Identifier: Apache-2.0
#include "worker/model/softmax.h"

#include <algorithm>
#include <cmath>

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class SoftmaxModel : public WeightedSumModel {
 public:
  SoftmaxModel(bool bias, uint32_t classes) : WeightedSumModel(bias, classes) {}

  PredictionKind prediction_kind() const override { return PredictionKind::kClasses; }

  // log sum_c e^z[c] - z[label], with the largest logit taken out: no overflow.
  double Loss(absl::Span<const float> margin, float label) const override {
    const double largest = *std::max_element(margin.begin(), margin.end());
    double sum = 0;
    for (const float z : margin) sum += std::exp(z - largest);
    return std::log(sum) + (largest - margin[static_cast<size_t>(label)]);
  }

  void Predict(absl::Span<const float> margin, absl::Span<double> prediction) const override {
    const double largest = *std::max_element(margin.begin(), margin.end());
    double sum = 0;
    for (size_t c = 0; c < margin.size(); ++c) {
      prediction[c] = std::exp(margin[c] - largest);
      sum += prediction[c];
    }
    for (double& p : prediction) p /= sum;
  }

 private:
  // p - [c = label]
  void Slopes(absl::Span<const float> margin, float label,
              absl::Span<double> slopes) const override {
    Predict(margin, slopes);
    slopes[static_cast<size_t>(label)] -= 1;
  }
};

}  // namespace

std::unique_ptr<Model> NewSoftmaxModel(const Model::Options& options) {
  return std::make_unique<SoftmaxModel>(options.bias, options.classes);
}

}  // namespace seraph
