// SPDX-License-Identifier: Apache-2.0
// One thread that fires what is due: the deadlines of calls within one process.
#ifndef SERAPH_TRANSPORT_CALL_TIMER_H_
#define SERAPH_TRANSPORT_CALL_TIMER_H_

#include <cstdint>
#include <memory>
#include <thread>

#include "absl/functional/any_invocable.h"
#include "absl/time/time.h"
#include "common/clock.h"

namespace seraph {

// Thread-safe. Destroying it drops what is not due; that may happen from within a `fire`.
class CallTimer {
 public:
  using Fire = absl::AnyInvocable<void()>;

  // `clock` outlives the timer.
  explicit CallTimer(Clock* clock);
  ~CallTimer();

  // Calls `fire` once on the timer's thread when `deadline` has passed; it must not block. `number`
  // is the caller's, unique in this timer.
  void Add(absl::Time deadline, uint64_t number, Fire fire);
  // Forgets the entry; one that fired, fires at this moment or never was is fine.
  void Remove(absl::Time deadline, uint64_t number);

 private:
  struct State;
  static void Run(std::shared_ptr<State> state);

  const std::shared_ptr<State> state_;
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_CALL_TIMER_H_
