// SPDX-License-Identifier: Apache-2.0
// The steps that the ranks of a group have committed: what every consistency mode decides by.
#ifndef SERAPH_SERVER_CONSISTENCY_GROUP_CLOCK_H_
#define SERAPH_SERVER_CONSISTENCY_GROUP_CLOCK_H_

#include <cstdint>
#include <vector>

namespace seraph {

// A plain value, not thread-safe: each executor keeps its own, moved by the same calls. Two that
// saw the same calls agree, and the order of calls of different ranks does not matter once all have
// arrived.
//
// A rank's clock is the number of steps that it has committed, from 0. A rank counts while it is
// not idle. Ranks given to any function are below workers().
class GroupClock {
 public:
  // `workers` >= 1.
  explicit GroupClock(uint32_t workers) : ranks_(workers) {}

  // Step `clock` of `rank` is done: its clock becomes clock + 1. False, and nothing changes, when
  // the step was committed before. With `idle` the rank does not count until its next Commit or
  // MoveTo; when all ranks are idle their phase is over, and all count again, at the largest
  // of their clocks.
  bool Commit(uint32_t rank, int64_t clock, bool idle);

  // The rank goes on at `clock`, not behind where it is, and counts again.
  void MoveTo(uint32_t rank, int64_t clock);

  uint32_t workers() const { return static_cast<uint32_t>(ranks_.size()); }
  int64_t clock(uint32_t rank) const { return ranks_[rank].clock; }
  bool idle(uint32_t rank) const { return ranks_[rank].idle; }

  // The smallest clock of the ranks that count. One always does.
  int64_t slowest() const;

  // Ranks that count and whose clock is below `clock`, ascending.
  std::vector<uint32_t> Behind(int64_t clock) const;

 private:
  struct Rank {
    int64_t clock = 0;
    bool idle = false;
  };
  void EndPhaseWhenAllIdle();

  std::vector<Rank> ranks_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CONSISTENCY_GROUP_CLOCK_H_
