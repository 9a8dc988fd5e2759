// SPDX-License-Identifier: Apache-2.0
#include "common/process/signal_waiter.h"

#include <pthread.h>

#include <algorithm>
#include <ctime>

namespace seraph {

SignalWaiter::SignalWaiter() {
  sigemptyset(&waited_);
  sigaddset(&waited_, SIGINT);
  sigaddset(&waited_, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &waited_, &before_);
  std::signal(SIGPIPE, SIG_IGN);
}

SignalWaiter::~SignalWaiter() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

std::optional<int> SignalWaiter::WaitFor(absl::Duration timeout) {
  // A day is as good as for ever to a caller that loops, and fits every time_t.
  const timespec ts = absl::ToTimespec(std::clamp(timeout, absl::ZeroDuration(), absl::Hours(24)));
  // -1: nothing within the timeout, or interrupted by a signal that is not waited for.
  const int signal_number = sigtimedwait(&waited_, nullptr, &ts);
  if (signal_number < 0) return std::nullopt;
  return signal_number;
}

}  // namespace seraph
