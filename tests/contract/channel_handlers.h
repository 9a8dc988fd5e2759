// SPDX-License-Identifier: Apache-2.0
// Handlers for tests of channels.
#ifndef SERAPH_TESTS_CONTRACT_CHANNEL_HANDLERS_H_
#define SERAPH_TESTS_CONTRACT_CHANNEL_HANDLERS_H_

#include <deque>
#include <functional>
#include <string>
#include <utility>

#include "absl/strings/string_view.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "transport/channel.h"

namespace seraph {

// Does with each request what a function does. The function is called from many threads.
class FunctionHandler : public FrameHandler {
 public:
  using Function = std::function<void(Frame, Respond)>;
  explicit FunctionHandler(Function function) : function_(std::move(function)) {}
  void Handle(Frame request, absl::string_view, Respond respond) override {
    function_(std::move(request), std::move(respond));
  }

 private:
  const Function function_;
};

// Answers each request with itself, at once.
class EchoHandler : public FunctionHandler {
 public:
  EchoHandler()
      : FunctionHandler([](Frame request, Respond respond) { respond(std::move(request)); }) {}
};

struct HeldRequest {
  Frame frame;
  std::string peer;
  Respond respond;
};

// Keeps requests until the test takes them. Thread-safe.
class HoldingHandler : public FrameHandler {
 public:
  void Handle(Frame request, absl::string_view peer, Respond respond) override;
  // The oldest request; waits for it. The test's process ends when none comes for long.
  HeldRequest Take();
  // Nothing when there is none now.
  bool TryTake(HeldRequest* request);

 private:
  SystemClock clock_;
  Mutex mu_;
  CondVar arrived_;
  std::deque<HeldRequest> held_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_CHANNEL_HANDLERS_H_
