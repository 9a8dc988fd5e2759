// SPDX-License-Identifier: Apache-2.0
// What every compute back end must hold to: the formulas of worker/compute/backend.h within the
// rounding of floats. A new back end joins with one line in its own test:
//
//   INSTANTIATE_TEST_SUITE_P(Cpu, BackendContractTest, ::testing::Values(&NewCpuBackend));
#ifndef SERAPH_TESTS_CONTRACT_BACKEND_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_BACKEND_CONTRACT_H_

#include <memory>

#include "gtest/gtest.h"
#include "worker/compute/backend.h"

namespace seraph {

using BackendFactory = std::unique_ptr<Backend> (*)();

class BackendContractTest : public ::testing::TestWithParam<BackendFactory> {};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_BACKEND_CONTRACT_H_
