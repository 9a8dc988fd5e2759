// SPDX-License-Identifier: Apache-2.0
// Softmax regression for several classes: logits = bias + W x, p = softmax(logits).
#ifndef SERAPH_WORKER_MODEL_SOFTMAX_H_
#define SERAPH_WORKER_MODEL_SOFTMAX_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewSoftmaxModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_SOFTMAX_H_
