// SPDX-License-Identifier: Apache-2.0
// Field-aware factorisation machine for two classes (Juan, Zhuang, Chin, Lin 2016): log-odds of
// label 1 = bias + w . x + sum over pairs i < j of <v[i, field of j], v[j, field of i]> x_i x_j.
// Its table of factors has a row for each pair of a feature and a field that it met
// (worker/data/field_pairs.h).
#ifndef SERAPH_WORKER_MODEL_FFM_H_
#define SERAPH_WORKER_MODEL_FFM_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewFieldAwareFactorizationMachineModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_FFM_H_
