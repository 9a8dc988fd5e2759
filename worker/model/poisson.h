// SPDX-License-Identifier: Apache-2.0
// Poisson regression with log link: prediction = e^margin, loss = half the unit deviance
// e^margin - y + y (ln y - margin), which is 0 for a perfect prediction. Labels are not negative.
#ifndef SERAPH_WORKER_MODEL_POISSON_H_
#define SERAPH_WORKER_MODEL_POISSON_H_

#include <memory>

#include "worker/model/model.h"

namespace seraph {

std::unique_ptr<Model> NewPoissonModel(const Model::Options& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_POISSON_H_
