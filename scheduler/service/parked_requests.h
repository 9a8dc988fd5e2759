// SPDX-License-Identifier: Apache-2.0
// Requests that have no answer yet, found by what they wait for: events of a job, tasks of a rank,
// work for a free slot, or the end of their time.
#ifndef SERAPH_SCHEDULER_SERVICE_PARKED_REQUESTS_H_
#define SERAPH_SCHEDULER_SERVICE_PARKED_REQUESTS_H_

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "proto/control.pb.h"
#include "transport/channel.h"

namespace seraph {

// Not thread-safe. Numbers are in the order of arrival. Every operation takes logarithmic time in
// what is parked, and time in what it returns.
class ParkedRequests {
 public:
  struct Parked {
    v1::ControlRequest request;  // next_task, without result, or watch_job.
    absl::Time deadline;
    Respond respond;
  };

  void Add(Parked parked);
  // Takes one out. REQUIRES: it is there.
  Parked Take(uint64_t number);
  // REQUIRES: it is there.
  const v1::ControlRequest& at(uint64_t number) const { return parked_.at(number).request; }
  size_t size() const { return parked_.size(); }

  // Adds the numbers of those who watch the job, of its ranks, or of the node's slots, free ones
  // and those that run a rank.
  void CollectWatchers(uint64_t job, std::set<uint64_t>* numbers) const;
  void CollectRanks(uint64_t job, std::set<uint64_t>* numbers) const;
  void CollectSlots(uint64_t node, std::set<uint64_t>* numbers) const;

  uint32_t FreeSlots(uint64_t node) const;  // How many of them ask for a job.

  // Takes out those whose time is up, in the order of their deadlines.
  std::vector<Parked> TakeLate(absl::Time now);
  absl::Time next_deadline() const;  // InfiniteFuture when nothing is parked.
  std::vector<Parked> TakeAll();

 private:
  using Numbers = std::map<uint64_t, std::set<uint64_t>>;  // By job or node.

  uint64_t next_ = 1;
  std::map<uint64_t, Parked> parked_;
  std::set<std::pair<absl::Time, uint64_t>> by_deadline_;
  Numbers watchers_;                         // By job.
  Numbers ranks_;                            // By job.
  Numbers slots_;                            // By node.
  std::map<uint64_t, uint32_t> free_slots_;  // By node.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_PARKED_REQUESTS_H_
