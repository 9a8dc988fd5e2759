// SPDX-License-Identifier: Apache-2.0
// A network whose requests arrive in an order drawn from a seed: each call is held back until
// others came or a moment has passed, then one of those held is let through.
#ifndef SERAPH_TESTS_FAULTS_REORDERING_NETWORK_H_
#define SERAPH_TESTS_FAULTS_REORDERING_NETWORK_H_

#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "common/mutex.h"
#include "common/random.h"
#include "transport/channel.h"

namespace seraph {

// Decorates `inner`, which outlives it, as it outlives its channels. Thread-safe.
class ReorderingNetwork : public Network {
 public:
  ReorderingNetwork(Network* inner, uint64_t seed);
  ~ReorderingNetwork() override;

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const std::string& address,
                                                   FrameHandler* handler) override;
  absl::StatusOr<std::shared_ptr<Channel>> Connect(const std::string& address) override;

 private:
  class HoldingChannel;
  void Hold(absl::AnyInvocable<void()> call);
  void Run();

  Network* const inner_;
  Mutex mu_;
  CondVar changed_;
  SplitMix64 random_ ABSL_GUARDED_BY(mu_);
  std::vector<absl::AnyInvocable<void()>> held_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_FAULTS_REORDERING_NETWORK_H_
