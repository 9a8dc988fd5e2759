// SPDX-License-Identifier: Apache-2.0
// A clock that a test turns by hand. Waits end when they are notified or when the time passes their
// deadline deadline.
#ifndef SERAPH_TESTS_FAKES_FAKE_CLOCK_H_
#define SERAPH_TESTS_FAKES_FAKE_CLOCK_H_

#include "absl/time/time.h"
#include "common/clock.h"

namespace seraph {

// Thread-safe. Starts at the epoch.
class FakeClock : public Clock {
 public:
  absl::Time Now() const override;
  bool WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline) override
      ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu);

  void Advance(absl::Duration by);

 private:
  mutable Mutex mu_;
  absl::Time now_ ABSL_GUARDED_BY(mu_) = absl::UnixEpoch();
};

}  // namespace seraph

#endif  // SERAPH_TESTS_FAKES_FAKE_CLOCK_H_
