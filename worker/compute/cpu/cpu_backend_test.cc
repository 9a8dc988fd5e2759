// SPDX-License-Identifier: Apache-2.0
#include "worker/compute/cpu/cpu_backend.h"

#include "gtest/gtest.h"
#include "tests/contract/backend_contract.h"

namespace seraph {
namespace {

INSTANTIATE_TEST_SUITE_P(Cpu, BackendContractTest, ::testing::Values(&NewCpuBackend));

}  // namespace
}  // namespace seraph
