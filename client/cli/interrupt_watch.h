// SPDX-License-Identifier: Apache-2.0
// SIGINT and SIGTERM for a command: a value that it looks at, and an end for one that does not.
#ifndef SERAPH_CLIENT_CLI_INTERRUPT_WATCH_H_
#define SERAPH_CLIENT_CLI_INTERRUPT_WATCH_H_

#include <atomic>
#include <functional>
#include <optional>
#include <thread>

#include "absl/time/time.h"

namespace seraph {

// One a process, made by the main thread before any other, so that all inherit the blocked signals;
// they stay blocked after it, so that the process ends by its own exit code. Also ignores SIGPIPE.
// signal() may be called from any thread.
class InterruptWatch {
 public:
  // After the first signal the command has `grace` to end by itself: it may hang in a write to a
  // pipe that nobody reads. When that is over, or at another signal, `force` is called with the
  // first one, on the watch's own thread; it does not return. Signals within `settle` of the first
  // are that one again: timeout(1) sends one to the process and one to its group.
  InterruptWatch(absl::Duration settle, absl::Duration grace,
                 std::function<void(int signal_number)> force);
  ~InterruptWatch();  // Nothing is forced any more.
  InterruptWatch(const InterruptWatch&) = delete;
  InterruptWatch& operator=(const InterruptWatch&) = delete;

  // The first signal that has come.
  std::optional<int> signal() const {
    const int number = signal_.load();
    return number == 0 ? std::nullopt : std::optional<int>(number);
  }

 private:
  void Run();
  // The next signal; nothing when the time is up or the watch ends.
  std::optional<int> Await(absl::Duration timeout);

  // Waits for the watch's end, and forgets the signals that came meanwhile.
  void Settle();

  const absl::Duration settle_;
  const absl::Duration grace_;
  const std::function<void(int)> force_;
  const int signals_;  // A signalfd.
  const int stop_;     // An eventfd.
  std::atomic<int> signal_ = 0;
  std::atomic<bool> stopping_ = false;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_INTERRUPT_WATCH_H_
