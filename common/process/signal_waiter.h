// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM as values that the main thread waits for, instead of handlers.
#ifndef SERAPH_COMMON_PROCESS_SIGNAL_WAITER_H_
#define SERAPH_COMMON_PROCESS_SIGNAL_WAITER_H_

#include <csignal>
#include <optional>

#include "absl/time/time.h"

namespace seraph {

// One a process, made by the main thread before any other thread, so that all of them inherit the
// blocked signals. Also ignores SIGPIPE: a peer that closed its socket is an error value, not an
// end. Destroying it restores the signal mask.
class SignalWaiter {
 public:
  SignalWaiter();
  ~SignalWaiter();
  SignalWaiter(const SignalWaiter&) = delete;
  SignalWaiter& operator=(const SignalWaiter&) = delete;

  // The number of a signal that came, or nothing after `timeout`. Each signal is returned once.
  std::optional<int> WaitFor(absl::Duration timeout);

 private:
  sigset_t waited_;
  sigset_t before_;
};

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_SIGNAL_WAITER_H_
