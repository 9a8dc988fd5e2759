// SPDX-License-Identifier: Apache-2.0
// The time, as a collaborator: every deadline and lease asks a Clock, so that tests turn it by hand
// (tests/fakes/fake_clock.h). Time is monotonic and starts anywhere; it never names a date.
#ifndef SERAPH_COMMON_CLOCK_H_
#define SERAPH_COMMON_CLOCK_H_

#include "absl/time/time.h"
#include "common/mutex.h"

namespace seraph {

// Thread-safe.
class Clock {
 public:
  virtual ~Clock() = default;

  // Monotonic. absl::InfiniteFuture() as a deadline means none.
  virtual absl::Time Now() const = 0;

  // Waits on `cv` until it is notified or `deadline` has passed; may wake up spuriously. False once
  // the deadline has passed. `mu` is held before and after.
  virtual bool WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline)
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu) = 0;
};

// The machine's steady clock. Stateless: as many as one likes.
class SystemClock : public Clock {
 public:
  absl::Time Now() const override;
  bool WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);
};

}  // namespace seraph

#endif  // SERAPH_COMMON_CLOCK_H_
