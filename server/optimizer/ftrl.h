// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_FTRL_H_
#define SERAPH_SERVER_OPTIMIZER_FTRL_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// FTRL-Proximal with a rate per coordinate (McMahan et al. 2013, "Ad click prediction: a view from
// the trenches", algorithm 1; alpha is learning_rate). State: z[dim], then n[dim]. A touched weight
// w with gradient g of the mean loss:
//
//   s <- (sqrt(n + g^2) - sqrt(n)) / alpha
//   z <- z + g - s w
//   n <- n + g^2
//   w <- 0                                                       if |z| <= l1
//        -(z - sign(z) l1) / ((beta + sqrt(n)) / alpha + l2)     otherwise
//
// The closed form is, after T touches, the exact minimiser of
//   sum over the T touches of (g_t w + s_t/2 (w - w_t)^2) + l2/2 w^2 + l1 |w|:
// as in the paper, l1 and l2 stand once against the *sum* of the gradients of the mean loss.
// Against one touch they weigh l1/T and l2/T. A coordinate touched T times therefore solves mean
// loss + (l2/T)/2 |w|^2 + (l1/T) |w|: to aim at a given L1, L2 of the mean objective, which sgd and
// adagrad take as they are, give l1 = T L1 and l2 = T L2 with T the number of steps. A row that is
// not touched does not change.
//
// A fresh row starts at n = initial_accumulator and at the z whose closed form is its initial
// weight: z = -w ((beta + sqrt(n)) / alpha + l2) - sign(w) l1 (z = 0 for w = 0). Any initial weight
// is reachable whatever l1 is, and a first touch moves it instead of dropping it to zero. The same
// z, with the n that is there, follows an `add` or `assign`; a weight left at 0 keeps its z.
//
// INVALID_ARGUMENT unless learning_rate > 0 and l1, l2, initial_accumulator, beta >= 0; the message
// names parameter and value. epsilon is ignored. With beta, l2 and n all 0 the closed form has no
// value and the weight stays. n stops at the largest float.
absl::StatusOr<std::unique_ptr<Optimizer>> NewFtrl(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_FTRL_H_
