// SPDX-License-Identifier: Apache-2.0
// Logistic regression: log-odds of label 1 = bias + w . x.
#ifndef SERAPH_WORKER_MODEL_LR_H_
#define SERAPH_WORKER_MODEL_LR_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewLogisticRegressionModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_LR_H_
