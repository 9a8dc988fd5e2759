// SPDX-License-Identifier: Apache-2.0
#ifndef SERAPH_SERVER_CONSISTENCY_ASP_H_
#define SERAPH_SERVER_CONSISTENCY_ASP_H_

#include <memory>

#include "server/consistency/policy.h"

namespace seraph {

// Asynchronous: nobody waits for anybody.
std::unique_ptr<ConsistencyPolicy> NewAspPolicy();

}  // namespace seraph

#endif  // SERAPH_SERVER_CONSISTENCY_ASP_H_
