// SPDX-License-Identifier: Apache-2.0
// Regression by Huber's loss: e^2 / 2 of errors up to delta, delta (|e| - delta / 2) beyond (Huber
// 1964, "Robust estimation of a location parameter").
#ifndef SERAPH_WORKER_MODEL_HUBER_H_
#define SERAPH_WORKER_MODEL_HUBER_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewHuberModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_HUBER_H_
