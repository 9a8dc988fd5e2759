// SPDX-License-Identifier: Apache-2.0
#include "worker/model/ffm.h"

#include "worker/model/loss.h"
#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class FieldAwareModel : public OneOutputModel {
 public:
  explicit FieldAwareModel(const Options& options)
      : OneOutputModel(options.bias), factors_(options.factors) {
    tables_.push_back(
        {.name = "factors",
         .kind = TableKind::kSparse,
         .dim = options.factors,
         .rows = 0,
         .initializer = {.type = InitializerSpec::Type::kNormal, .value = options.init_scale},
         .regularised = true,
         .keys = TableKeys::kFeatureFields});
  }

  PredictionKind prediction_kind() const override { return PredictionKind::kBinary; }

  void Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
               absl::Span<float> margins) const override {
    OneOutputModel::Margins(input, values, backend, margins);
    backend->FieldForward(input.batch, *input.pairs, factors_, values[next_table()], margins);
  }

  void Gradients(const ModelInput& input, const ModelValues& values,
                 absl::Span<const float> margins, Backend* backend,
                 const ModelGradients& gradients) const override {
    OneOutputModel::Gradients(input, values, margins, backend, gradients);
    backend->FieldBackward(input.batch, *input.pairs, factors_, values[next_table()], slopes(),
                           gradients[next_table()]);
  }

 private:
  double LossOf(float margin, float label) const override { return LogisticLoss(margin, label); }
  double SlopeOf(float margin, float label) const override { return LogisticSlope(margin, label); }
  double PredictionOf(float margin) const override { return Sigmoid(margin); }

  const uint32_t factors_;
};

}  // namespace

std::unique_ptr<Model> NewFieldAwareFactorizationMachineModel(const Model::Options& options) {
  return std::make_unique<FieldAwareModel>(options);
}

}  // namespace seraph
