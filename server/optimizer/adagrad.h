// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_ADAGRAD_H_
#define SERAPH_SERVER_OPTIMIZER_ADAGRAD_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// AdaGrad with a rate per coordinate (Duchi, Hazan, Singer 2011, "Adaptive subgradient methods for
// online learning and stochastic optimization"; its diagonal form with the composite mirror descent
// step). State: `dim` sums of squared gradients a, which start at initial_accumulator. A touched
// weight w with gradient g of the mean loss:
//
//   h <- g + l2 w
//   a <- a + h^2
//   r <- lr / (sqrt(a) + epsilon)           0 while a is 0: no gradient yet, so no step
//   w <- S(w - r h, r l1)                   S: soft threshold, see proximal.h
//
// that is mean loss + l2/2 |w|^2 + l1 |w|, the L1 part by the proximal map with the coordinate's
// own rate. A row that is not touched does not shrink. Sums stop at the largest float.
//
// INVALID_ARGUMENT unless learning_rate > 0 and l1, l2, initial_accumulator, epsilon >= 0; the
// message names parameter and value. beta is ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewAdaGrad(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_ADAGRAD_H_
