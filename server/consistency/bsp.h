// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_CONSISTENCY_BSP_H_
#define SERAPH_SERVER_CONSISTENCY_BSP_H_

#include <memory>

#include "server/consistency/policy.h"

namespace seraph {

// Bulk synchronous: a pull at clock c sees all steps below c of every rank and nothing else, so it
// waits for all of them; pushes park for the fold.
std::unique_ptr<ConsistencyPolicy> NewBspPolicy();

}  // namespace seraph

#endif  // SERAPH_SERVER_CONSISTENCY_BSP_H_
