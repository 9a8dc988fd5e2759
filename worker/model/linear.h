// SPDX-License-Identifier: Apache-2.0
// Linear regression with squared loss: margin = prediction = bias + w . x.
#ifndef SERAPH_WORKER_MODEL_LINEAR_H_
#define SERAPH_WORKER_MODEL_LINEAR_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewLinearModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_LINEAR_H_
