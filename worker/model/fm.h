// SPDX-License-Identifier: Apache-2.0
// Factorisation machine of degree 2 for two classes (Rendle 2010): log-odds of label 1 = bias + w .
// x
// + sum over pairs i < j of <v_i, v_j> x_i x_j.
#ifndef SERAPH_WORKER_MODEL_FM_H_
#define SERAPH_WORKER_MODEL_FM_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewFactorizationMachineModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_FM_H_
