// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_RMSPROP_H_
#define SERAPH_SERVER_OPTIMIZER_RMSPROP_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// RMSProp (Tieleman and Hinton 2012, lecture 6.5 of "Neural Networks for Machine Learning"). State:
// `dim` running means of squared gradients v, which start at 0. A touched weight w with gradient g
// of the mean loss:
//
//   h <- g + l2 w
//   v <- rho v + (1 - rho) h^2
//   r <- lr / (sqrt(v) + epsilon)           0 while that root is 0
//   w <- S(w - r h, r l1)                   S: soft threshold, see proximal.h
//
// The means of a row that is not touched do not fade: on sparse rows they run over touches, not
// over steps. Means stop at the largest float.
//
// INVALID_ARGUMENT unless learning_rate > 0, 0 <= rho < 1, and l1, l2, epsilon >= 0; the message
// names parameter and value. Other parameters are ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewRmsProp(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_RMSPROP_H_
