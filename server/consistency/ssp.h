// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_CONSISTENCY_SSP_H_
#define SERAPH_SERVER_CONSISTENCY_SSP_H_

#include <cstdint>
#include <memory>

#include "server/consistency/policy.h"

namespace seraph {

// Stale synchronous: a pull at clock c waits until the slowest rank's clock is at least
// c - staleness, so no rank computes with rows that miss more than `staleness` of another's steps.
// `staleness` >= 0.
std::unique_ptr<ConsistencyPolicy> NewSspPolicy(int64_t staleness);

}  // namespace seraph

#endif  // SERAPH_SERVER_CONSISTENCY_SSP_H_
