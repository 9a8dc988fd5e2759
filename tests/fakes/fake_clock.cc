// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_clock.h"

#include <chrono>

namespace seraph {
namespace {

// How soon a waiter sees that the time was turned. Advance cannot notify waiters itself: one that
// returns meanwhile may take its condition variable with it.
constexpr std::chrono::milliseconds kLookAgain(1);

}  // namespace

absl::Time FakeClock::Now() const {
  MutexLock lock(&mu_);
  return now_;
}

bool FakeClock::WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline) {
  if (deadline <= Now()) return false;
  cv->WaitUntil(mu, std::chrono::steady_clock::now() + kLookAgain);
  return Now() < deadline;
}

void FakeClock::Advance(absl::Duration by) {
  MutexLock lock(&mu_);
  now_ += by;
}

}  // namespace seraph
