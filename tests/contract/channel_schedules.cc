// SPDX-License-Identifier: Apache-2.0
// Part of the channel contract: random schedules of calls, slow, late, missing and failing answers,
// channels and listeners that go away, each from its own seed.
#include <array>
#include <atomic>
#include <thread>
#include <utility>
#include <vector>

#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/contract/channel_contract.h"
#include "tests/contract/channel_handlers.h"

namespace seraph {
namespace {

constexpr int kThreads = 4;
constexpr int kCallsPerThread = 25;

// Answers by chance at once, later (by a thread of its own), with an error or never.
class CapriciousHandler : public FrameHandler {
 public:
  explicit CapriciousHandler(uint64_t seed) : random_(seed), answerer_([this] { AnswerHeld(); }) {}
  ~CapriciousHandler() override {
    stop_ = true;
    answerer_.join();
  }

  void Handle(Frame request, absl::string_view peer, Respond respond) override {
    switch (NextChoice()) {
      case 0:
        return;  // Dropped.
      case 1:
        return respond(absl::AbortedError("no"));
      case 2:
      case 3:
        return respond(std::move(request));
      default:
        return held_.Handle(std::move(request), peer, std::move(respond));
    }
  }

 private:
  uint64_t NextChoice() {
    MutexLock lock(&mu_);
    return random_.NextBelow(8);
  }

  void AnswerHeld() {
    std::vector<HeldRequest> batch;
    while (!stop_) {
      HeldRequest request;
      if (held_.TryTake(&request)) batch.push_back(std::move(request));
      if (batch.size() < 3) {
        std::this_thread::yield();
        continue;
      }
      for (size_t i = batch.size(); i-- > 0;) batch[i].respond(std::move(batch[i].frame));
      batch.clear();
    }
  }

  Mutex mu_;
  SplitMix64 random_ ABSL_GUARDED_BY(mu_);
  HoldingHandler held_;
  std::atomic<bool> stop_{false};
  std::thread answerer_;
};

Frame NumberedFrame(uint64_t number) {
  Frame frame;
  frame.header.mutable_control_request()->mutable_heartbeat()->set_node(number);
  return frame;
}

// Counts answers of each call; a reply must be the one to this call's request.
struct Ledger {
  std::array<std::atomic<int>, kThreads* kCallsPerThread> answers = {};
  std::atomic<int> wrong{0};

  Respond Callback(size_t call) {
    return [this, call](absl::StatusOr<Frame> result) {
      answers[call].fetch_add(1);
      if (result.ok() && result->header.control_request().heartbeat().node() != call) ++wrong;
    };
  }
};

void MakeCalls(Network* network, const std::string& address, uint64_t seed, size_t first,
               Ledger* ledger) {
  SplitMix64 random(seed);
  std::shared_ptr<Channel> channel = network->Connect(address).value();
  for (size_t call = first; call < first + kCallsPerThread; ++call) {
    const absl::Duration timeout = absl::Milliseconds(1 + random.NextBelow(20));
    channel->Call(NumberedFrame(call), timeout, ledger->Callback(call));
    if (random.NextBelow(10) == 0) channel = network->Connect(address).value();
  }
}

TEST_P(ChannelContract, EveryCallIsAnsweredOnceUnderFiftyRandomSchedules) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    Ledger ledger;
    {
      CapriciousHandler handler(seed);
      auto listener = Listen(&handler);
      std::vector<std::thread> threads;
      for (size_t t = 0; t < kThreads; ++t) {
        threads.emplace_back(&MakeCalls, network_.get(), listener->address(), seed * 100 + t,
                             t * kCallsPerThread, &ledger);
      }
      if (seed % 2 == 0) listener->Shutdown(absl::Milliseconds(seed % 5));
      for (std::thread& thread : threads) thread.join();  // Their last channels are gone now.
      listener = nullptr;
    }
    for (const std::atomic<int>& answers : ledger.answers) ASSERT_EQ(answers, 1) << "seed " << seed;
    ASSERT_EQ(ledger.wrong, 0) << "seed " << seed;
  }
}

}  // namespace
}  // namespace seraph
