// SPDX-License-Identifier: Apache-2.0
#include "worker/model/lr.h"

#include "worker/model/weighted_sum.h"

namespace seraph {
std::unique_ptr<Model> NewLogisticRegressionModel(const Model::Options& options) {
  return std::make_unique<LogisticModel>(options.bias);
}

}  // namespace seraph
