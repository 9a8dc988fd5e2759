// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_SGD_H_
#define SERAPH_SERVER_OPTIMIZER_SGD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// Stochastic gradient descent. No state. A touched weight w with gradient g of the mean loss:
//
//   w <- S(w - lr (g + l2 w), lr l1)        S: soft threshold, see proximal.h
//
// which is one proximal gradient step on mean loss + l2/2 |w|^2 + l1 |w| (the L1 part by its
// proximal map, so that weights become exactly zero). A row that is not touched does not shrink.
//
// INVALID_ARGUMENT unless learning_rate > 0, l1 >= 0, l2 >= 0; the message names parameter and
// value. Other parameters are ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewSgd(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_SGD_H_
