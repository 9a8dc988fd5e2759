// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_MOMENTUM_H_
#define SERAPH_SERVER_OPTIMIZER_MOMENTUM_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// Gradient descent with momentum, the heavy ball (Polyak 1964, "Some methods of speeding up the
// convergence of iteration methods"; in the form of Sutskever et al. 2013). State: `dim` velocities
// v, which start at 0. A touched weight w with gradient g of the mean loss:
//
//   v <- momentum v + g + l2 w
//   w <- S(w - lr v, lr l1)                 S: soft threshold, see proximal.h
//
// A row that is not touched neither moves on by its velocity nor loses it: on sparse rows the ball
// rolls by touches, not by steps.
//
// INVALID_ARGUMENT unless learning_rate > 0, 0 <= momentum < 1, l1 >= 0, l2 >= 0; the message names
// parameter and value. Other parameters are ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewMomentum(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_MOMENTUM_H_
