// SPDX-License-Identifier: Apache-2.0
// The reference back end: plain loops on the calling thread.
#ifndef SERAPH_WORKER_COMPUTE_CPU_CPU_BACKEND_H_
#define SERAPH_WORKER_COMPUTE_CPU_CPU_BACKEND_H_

#include <memory>

#include "worker/compute/backend.h"

namespace seraph {

// Sums of a row are kept in double and rounded once to float; gradients are summed in float, row by
// row.
std::unique_ptr<Backend> NewCpuBackend();

}  // namespace seraph

#endif  // SERAPH_WORKER_COMPUTE_CPU_CPU_BACKEND_H_
