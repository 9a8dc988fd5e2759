// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_OPTIMIZER_ADAMW_H_
#define SERAPH_SERVER_OPTIMIZER_ADAMW_H_

#include <memory>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// AdamW: Adam with weight decay beside the gradient instead of in it (Loshchilov and Hutter 2019,
// "Decoupled weight decay regularization", algorithm 2). State and symbols as in adam.h. A touched
// weight w with gradient g of the mean loss:
//
//   t, m, v, r as adam.h has them, with h = g
//   w <- S((1 - lr weight_decay) w - r m / (1 - beta1^t), r l1)
//
// so that the decay of a weight does not depend on the size of its gradients. A row that is not
// touched does not decay.
//
// INVALID_ARGUMENT unless learning_rate > 0, 0 <= beta1 < 1, 0 <= beta2 < 1, and l1, weight_decay,
// epsilon >= 0; the message names parameter and value. Other parameters, l2 among them, are
// ignored.
absl::StatusOr<std::unique_ptr<Optimizer>> NewAdamW(const OptimizerSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_ADAMW_H_
