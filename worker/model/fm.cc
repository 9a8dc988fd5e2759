// SPDX-License-Identifier: Apache-2.0
#include "worker/model/fm.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class FactorizationMachineModel : public WeightedSumModel {
 public:
  explicit FactorizationMachineModel(const Options& options)
      : WeightedSumModel(options.bias), factors_(options.factors) {
    tables_.push_back(
        {.name = "factors",
         .kind = TableKind::kSparse,
         .dim = options.factors,
         .rows = 0,
         .initializer = {.type = InitializerSpec::Type::kNormal, .value = options.init_scale},
         .regularised = true,
         .per_feature = true});
  }

  PredictionKind prediction_kind() const override { return PredictionKind::kBinary; }

  void Margins(const Batch& batch, const ModelValues& values, Backend* backend,
               absl::Span<float> margin) const override {
    WeightedSumModel::Margins(batch, values, backend, margin);
    backend->FactorForward(batch, factors_, values[next_table()], margin);
  }

  void Gradients(const Batch& batch, const ModelValues& values, absl::Span<const float> margin,
                 Backend* backend, const ModelGradients& gradients) const override {
    WeightedSumModel::Gradients(batch, values, margin, backend, gradients);
    backend->FactorBackward(batch, factors_, values[next_table()], slopes(),
                            gradients[next_table()]);
  }

  double Loss(float margin, float label) const override { return LogisticLoss(margin, label); }
  double Prediction(float margin) const override { return Sigmoid(margin); }

 private:
  double Slope(float margin, float label) const override { return LogisticSlope(margin, label); }

  const uint32_t factors_;
};

}  // namespace

std::unique_ptr<Model> NewFactorizationMachineModel(const Model::Options& options) {
  return std::make_unique<FactorizationMachineModel>(options);
}

}  // namespace seraph
