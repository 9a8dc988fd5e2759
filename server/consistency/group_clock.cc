// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/group_clock.h"

#include <algorithm>
#include <limits>

namespace seraph {

bool GroupClock::Commit(uint32_t rank, int64_t clock, bool idle) {
  Rank& r = ranks_[rank];
  if (clock < r.clock) return false;
  r.clock = clock + 1;
  r.idle = idle;
  EndPhaseWhenAllIdle();
  return true;
}

void GroupClock::MoveTo(uint32_t rank, int64_t clock) {
  Rank& r = ranks_[rank];
  if (clock < r.clock) return;
  r.clock = clock;
  r.idle = false;
}

// Without this the first rank to commit in the next phase would run ahead of those that have not
// begun it, since nobody waits for an idle rank.
void GroupClock::EndPhaseWhenAllIdle() {
  for (const Rank& r : ranks_) {
    if (!r.idle) return;
  }
  int64_t largest = 0;
  for (const Rank& r : ranks_) largest = std::max(largest, r.clock);
  for (Rank& r : ranks_) r = Rank{largest, false};
}

int64_t GroupClock::slowest() const {
  int64_t slowest = std::numeric_limits<int64_t>::max();
  for (const Rank& r : ranks_) {
    if (!r.idle) slowest = std::min(slowest, r.clock);
  }
  return slowest;
}

std::vector<uint32_t> GroupClock::Behind(int64_t clock) const {
  std::vector<uint32_t> behind;
  for (uint32_t rank = 0; rank < workers(); ++rank) {
    if (!ranks_[rank].idle && ranks_[rank].clock < clock) behind.push_back(rank);
  }
  return behind;
}

}  // namespace seraph
