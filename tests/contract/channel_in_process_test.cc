// SPDX-License-Identifier: Apache-2.0
#include "common/clock.h"
#include "tests/contract/channel_contract.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

std::unique_ptr<Network> MakeNetwork() {
  static SystemClock clock;
  return NewInProcessNetwork(&clock);
}

INSTANTIATE_TEST_SUITE_P(InProcess, ChannelContract,
                         ::testing::Values(NetworkUnderTest{&MakeNetwork, ""}));

}  // namespace
}  // namespace seraph
