// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/group_clock.h"

#include <algorithm>
#include <limits>

namespace seraph {

bool GroupClock::Commit(uint32_t rank, int64_t clock, bool idle) {
  Rank& r = ranks_[rank];
  if (!r.live || clock < r.clock) return false;
  r.clock = clock + 1;
  r.idle = idle;
  EndPhaseWhenAllIdle();
  return true;
}

void GroupClock::MoveTo(uint32_t rank, int64_t clock) {
  Rank& r = ranks_[rank];
  if (!r.live || clock < r.clock) return;
  r.clock = clock;
  r.idle = false;
}

void GroupClock::Leave(uint32_t rank) {
  ranks_[rank].live = false;
  EndPhaseWhenAllIdle();
}

int64_t GroupClock::Largest() const {
  int64_t largest = 0;
  for (const Rank& r : ranks_) largest = std::max(largest, r.clock);
  return largest;
}

// Without this the first rank to commit in the next phase would run ahead of those that have not
// begun it, since nobody waits for an idle rank.
void GroupClock::EndPhaseWhenAllIdle() {
  bool any_live = false;
  for (const Rank& r : ranks_) {
    if (Counts(r)) return;
    any_live = any_live || r.live;
  }
  if (!any_live) return;
  const int64_t largest = Largest();
  for (Rank& r : ranks_) {
    if (r.live) r = Rank{largest, false, true};
  }
}

int64_t GroupClock::slowest() const {
  int64_t slowest = std::numeric_limits<int64_t>::max();
  bool any = false;
  for (const Rank& r : ranks_) {
    if (!Counts(r)) continue;
    slowest = std::min(slowest, r.clock);
    any = true;
  }
  return any ? slowest : Largest();
}

std::vector<uint32_t> GroupClock::Behind(int64_t clock) const {
  std::vector<uint32_t> behind;
  for (uint32_t rank = 0; rank < workers(); ++rank) {
    if (Counts(ranks_[rank]) && ranks_[rank].clock < clock) behind.push_back(rank);
  }
  return behind;
}

}  // namespace seraph
