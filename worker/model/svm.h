// SPDX-License-Identifier: Apache-2.0
// Linear support vector machine: its sign says which class, y is -1 or +1. Hinge loss
// max(0, 1 - y margin), or its square (liblinear's L1 and L2 losses).
#ifndef SERAPH_WORKER_MODEL_SVM_H_
#define SERAPH_WORKER_MODEL_SVM_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewSvmModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_SVM_H_
