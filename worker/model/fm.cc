// SPDX-License-Identifier: Apache-2.0
#include "worker/model/fm.h"

#include "worker/model/weighted_sum.h"

namespace seraph {
namespace {

class FactorizationMachineModel : public LogisticModel {
 public:
  explicit FactorizationMachineModel(const Options& options)
      : LogisticModel(options.bias), factors_(options.factors) {
    AddFactors(options.factors, options.init_scale, TableKeys::kFeatures);
  }

  void Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
               absl::Span<float> margins) const override {
    LogisticModel::Margins(input, values, backend, margins);
    backend->FactorForward(input.batch, factors_, values[next_table()], margins);
  }

  void Gradients(const ModelInput& input, const ModelValues& values,
                 absl::Span<const float> margins, Backend* backend,
                 const ModelGradients& gradients) const override {
    LogisticModel::Gradients(input, values, margins, backend, gradients);
    backend->FactorBackward(input.batch, factors_, values[next_table()], slopes(),
                            gradients[next_table()]);
  }

 private:
  const uint32_t factors_;
};

}  // namespace

std::unique_ptr<Model> NewFactorizationMachineModel(const Model::Options& options) {
  return std::make_unique<FactorizationMachineModel>(options);
}

}  // namespace seraph
