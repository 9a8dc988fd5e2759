// SPDX-License-Identifier: Apache-2.0
#include "worker/model/ffm.h"

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class FieldAwareModel : public LogisticModel {
 public:
  explicit FieldAwareModel(const Options& options)
      : LogisticModel(options.bias), factors_(options.factors) {
    AddFactors(options.factors, options.init_scale, TableKeys::kFeatureFields);
  }

  void Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
               absl::Span<float> margins) const override {
    LogisticModel::Margins(input, values, backend, margins);
    backend->FieldForward(input.batch, *input.pairs, factors_, values[next_table()], margins);
  }

  void Gradients(const ModelInput& input, const ModelValues& values,
                 absl::Span<const float> margins, Backend* backend,
                 const ModelGradients& gradients) const override {
    LogisticModel::Gradients(input, values, margins, backend, gradients);
    backend->FieldBackward(input.batch, *input.pairs, factors_, values[next_table()], slopes(),
                           gradients[next_table()]);
  }

 private:
  const uint32_t factors_;
};

}  // namespace

std::unique_ptr<Model> NewFieldAwareFactorizationMachineModel(const Model::Options& options) {
  return std::make_unique<FieldAwareModel>(options);
}

}  // namespace seraph
