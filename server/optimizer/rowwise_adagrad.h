// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_ROWWISE_ADAGRAD_H_
#define SERAPH_SERVER_OPTIMIZER_ROWWISE_ADAGRAD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// AdaGrad with one rate for a row instead of one a coordinate, for embeddings: a float of state a
// row (Naumov et al. 2019, "Deep Learning Recommendation Model for Personalization and
// Recommendation Systems", as its implementations have it). State: a, the sum of the mean squares
// of the row's gradients, which starts at initial_accumulator. A touched row w[dim] with gradient g
// of the mean loss:
//
//   h_d <- g_d + l2 w_d
//   a   <- a + (sum over d of h_d^2) / dim
//   r   <- lr / (sqrt(a) + epsilon)         0 while a is 0: no gradient yet, so no step
//   w_d <- S(w_d - r h_d, r l1)             S: soft threshold, see proximal.h
//
// With dim 1 it is AdaGrad. A row that is not touched does not change. Sums stop at the largest
// float.
//
// INVALID_ARGUMENT unless learning_rate > 0 and l1, l2, initial_accumulator, epsilon >= 0; the
// message names parameter and value. Other parameters are ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewRowwiseAdaGrad(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_ROWWISE_ADAGRAD_H_
