// SPDX-License-Identifier: Apache-2.0
#include "tests/fakes/fake_clock.h"

#include <vector>

namespace seraph {

absl::Time FakeClock::Now() const {
  MutexLock lock(&mu_);
  return now_;
}

bool FakeClock::WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline) {
  // Entered while holding `mu`, and Advance takes `mu` of each waiter before it notifies: no
  // wake-up is lost between the check below and the wait.
  {
    MutexLock lock(&mu_);
    if (deadline <= now_) return false;
    waiters_.emplace(cv, mu);
  }
  cv->Wait(mu);
  MutexLock lock(&mu_);
  waiters_.erase(waiters_.find({cv, mu}));
  return now_ < deadline;
}

void FakeClock::Advance(absl::Duration by) {
  std::vector<std::pair<CondVar*, Mutex*>> waiters;
  {
    MutexLock lock(&mu_);
    now_ += by;
    waiters.assign(waiters_.begin(), waiters_.end());
  }
  for (const auto& [cv, mu] : waiters) {
    MutexLock lock(mu);
    cv->NotifyAll();
  }
}

}  // namespace seraph
