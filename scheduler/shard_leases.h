// SPDX-License-Identifier: Apache-2.0
// SSP and ASP: the blocks of an epoch, dealt to workers a few at a time, so that a slow worker gets
// fewer of them. The order is permuted by (seed, epoch) alone; each block is counted once an epoch.
#ifndef SERAPH_SCHEDULER_SHARD_LEASES_H_
#define SERAPH_SCHEDULER_SHARD_LEASES_H_

#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"

namespace seraph {

// Not thread-safe; knows no time. Starts before the first epoch, with nothing to deal.
class ShardLeases {
 public:
  struct Lease {
    uint64_t id = 0;               // From 1, never reused; 0: nothing is left to deal.
    std::vector<uint32_t> blocks;  // Neighbours in the epoch's order.
  };

  // Leases are sized so that each of `workers` > 0 gets several of the `blocks` in an epoch.
  ShardLeases(uint32_t blocks, uint32_t workers, uint64_t seed);

  // Forgets what is left of the epoch before.
  void StartEpoch(uint64_t epoch);

  Lease Next(uint32_t rank);

  // The rows of the lease are learned. Repeats, and leases of earlier epochs, change nothing.
  // FAILED_PRECONDITION for a lease that was not dealt or belongs to another rank.
  absl::Status Done(uint32_t rank, uint64_t lease);
  // The same for all leases that the rank holds.
  void DoneAll(uint32_t rank);

  uint32_t blocks_left() const { return blocks_ - done_; }  // Not done yet.
  uint32_t lease_size() const { return lease_size_; }

 private:
  struct Held {
    uint32_t rank = 0;
    std::vector<uint32_t> blocks;
  };

  const uint32_t blocks_;
  const uint32_t lease_size_;
  const uint64_t seed_;
  uint64_t next_id_ = 1;
  uint64_t first_id_of_epoch_ = 1;
  uint32_t done_ = 0;                          // Blocks of this epoch.
  std::deque<std::vector<uint32_t>> undealt_;  // In the order of dealing.
  std::map<uint64_t, Held> held_;              // By lease.
  std::map<uint64_t, uint32_t> finished_by_;   // Lease of this epoch -> rank.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SHARD_LEASES_H_
