// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/channel_contract.h"
#include "transport/grpc_network.h"

namespace seraph {
namespace {

INSTANTIATE_TEST_SUITE_P(Grpc, ChannelContract,
                         ::testing::Values(NetworkUnderTest{&NewGrpcNetwork, "127.0.0.1:0"}));

}  // namespace
}  // namespace seraph
