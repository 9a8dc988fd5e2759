// SPDX-License-Identifier: Apache-2.0
#include "common/clock.h"

#include <chrono>

namespace seraph {
namespace {

using Steady = std::chrono::steady_clock;

// A wait longer than this is cut in pieces: it keeps the arithmetic of time points far from
// overflow.
constexpr absl::Duration kLongestWait = absl::Hours(1);

}  // namespace

absl::Time SystemClock::Now() const {
  return absl::UnixEpoch() + absl::FromChrono(Steady::now().time_since_epoch());
}

bool SystemClock::WaitUntil(CondVar* cv, Mutex* mu, absl::Time deadline) {
  const absl::Time now = Now();
  if (deadline <= now) return false;
  const absl::Duration wait = std::min(deadline - now, kLongestWait);
  cv->WaitUntil(mu, Steady::now() + absl::ToChronoNanoseconds(wait));
  return Now() < deadline;
}

}  // namespace seraph
