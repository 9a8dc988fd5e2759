// SPDX-License-Identifier: Apache-2.0
// What every Network must do (transport/channel.h), as a suite:
//   INSTANTIATE_TEST_SUITE_P(InProcess, ChannelContract, ::testing::Values(NetworkUnderTest{...}));
#ifndef SERAPH_TESTS_CONTRACT_CHANNEL_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_CHANNEL_CONTRACT_H_

#include <functional>
#include <memory>
#include <string>

#include "gtest/gtest.h"
#include "transport/channel.h"

namespace seraph {

struct NetworkUnderTest {
  std::function<std::unique_ptr<Network>()> make;
  std::string any_address;  // What to listen on when the network picks the address.
};

class ChannelContract : public ::testing::TestWithParam<NetworkUnderTest> {
 protected:
  void SetUp() override { network_ = GetParam().make(); }

  std::unique_ptr<Listener> Listen(FrameHandler* handler);
  std::shared_ptr<Channel> Connect(const std::string& address);
  std::string AddressWithoutListener();

  std::unique_ptr<Network> network_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_CHANNEL_CONTRACT_H_
