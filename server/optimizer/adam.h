// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_ADAM_H_
#define SERAPH_SERVER_OPTIMIZER_ADAM_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// Adam (Kingma and Ba 2015, "Adam: a method for stochastic optimization", algorithm 1). State:
// m[dim], v[dim], then the number t of touches, all from 0. A touched weight w with gradient g of
// the mean loss:
//
//   t <- t + 1
//   h <- g + l2 w
//   m <- beta1 m + (1 - beta1) h
//   v <- beta2 v + (1 - beta2) h^2
//   r <- lr / (sqrt(v / (1 - beta2^t)) + epsilon)      0 while that root is 0
//   w <- S(w - r m / (1 - beta1^t), r l1)              S: soft threshold, see proximal.h
//
// Lazy on sparse rows: a row that is not touched keeps weights, moments and count, so that its
// moments and their correction run over touches, not over steps. On dense tables, whose rows are
// all touched in each step, it is the algorithm of the paper. Moments stop at the largest float.
//
// INVALID_ARGUMENT unless learning_rate > 0, 0 <= beta1 < 1, 0 <= beta2 < 1, and l1, l2, epsilon
// >= 0; the message names parameter and value. Other parameters are ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewAdam(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_ADAM_H_
