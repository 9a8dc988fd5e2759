// SPDX-License-Identifier: Apache-2.0
#include "tests/faults/reordering_network.h"

#include <chrono>
#include <utility>

#include "common/status_macros.h"

namespace seraph {
namespace {

// How long a call waits for company.
constexpr std::chrono::microseconds kMoment(200);

}  // namespace

class ReorderingNetwork::HoldingChannel : public Channel {
 public:
  HoldingChannel(ReorderingNetwork* network, std::shared_ptr<Channel> inner)
      : network_(network), inner_(std::move(inner)) {}

  void Call(Frame request, absl::Duration timeout, Respond done) override {
    network_->Hold(
        [inner = inner_, request = std::move(request), timeout, done = std::move(done)]() mutable {
          inner->Call(std::move(request), timeout, std::move(done));
        });
  }
  const std::string& address() const override { return inner_->address(); }

 private:
  ReorderingNetwork* const network_;
  const std::shared_ptr<Channel> inner_;
};

ReorderingNetwork::ReorderingNetwork(Network* inner, uint64_t seed)
    : inner_(inner), random_(seed), thread_([this] { Run(); }) {}

ReorderingNetwork::~ReorderingNetwork() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    changed_.NotifyAll();
  }
  thread_.join();
}

absl::StatusOr<std::unique_ptr<Listener>> ReorderingNetwork::Listen(const std::string& address,
                                                                    FrameHandler* handler) {
  return inner_->Listen(address, handler);
}

absl::StatusOr<std::shared_ptr<Channel>> ReorderingNetwork::Connect(const std::string& address) {
  ASSIGN_OR_RETURN(std::shared_ptr<Channel> inner, inner_->Connect(address));
  return std::make_shared<HoldingChannel>(this, std::move(inner));
}

void ReorderingNetwork::Hold(absl::AnyInvocable<void()> call) {
  MutexLock lock(&mu_);
  held_.push_back(std::move(call));
  changed_.NotifyAll();
}

void ReorderingNetwork::Run() {
  while (true) {
    absl::AnyInvocable<void()> next;
    {
      MutexLock lock(&mu_);
      while (held_.empty() && !stopping_) changed_.Wait(&mu_);
      if (held_.empty()) return;
      changed_.WaitUntil(&mu_, std::chrono::steady_clock::now() + kMoment);
      std::swap(held_[random_.NextBelow(held_.size())], held_.back());
      next = std::move(held_.back());
      held_.pop_back();
    }
    next();
  }
}

}  // namespace seraph
