// SPDX-License-Identifier: Apache-2.0
// What every consistency mode keeps, whatever it allows: instantiate with the SyncSpecs of a mode.
#ifndef SERAPH_TESTS_CONTRACT_CONSISTENCY_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_CONSISTENCY_CONTRACT_H_

#include "common/table_spec.h"
#include "gtest/gtest.h"

namespace seraph {

class ConsistencyContractTest : public ::testing::TestWithParam<SyncSpec> {};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_CONSISTENCY_CONTRACT_H_
