// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/parked_requests.h"

namespace seraph {
namespace {

void Collect(const std::map<uint64_t, std::set<uint64_t>>& index, uint64_t key,
             std::set<uint64_t>* numbers) {
  if (const auto found = index.find(key); found != index.end()) {
    numbers->insert(found->second.begin(), found->second.end());
  }
}

void Remove(std::map<uint64_t, std::set<uint64_t>>* index, uint64_t key, uint64_t number) {
  const auto found = index->find(key);
  found->second.erase(number);
  if (found->second.empty()) index->erase(found);
}

}  // namespace

void ParkedRequests::Add(Parked parked) {
  const uint64_t number = next_++;
  by_deadline_.emplace(parked.deadline, number);
  if (parked.request.has_watch_job()) {
    watchers_[parked.request.watch_job().job()].insert(number);
  } else {
    const v1::NextTask& ask = parked.request.next_task();
    slots_[ask.node()].insert(number);
    if (ask.job() == 0) {
      ++free_slots_[ask.node()];
    } else {
      ranks_[ask.job()].insert(number);
    }
  }
  parked_.emplace(number, std::move(parked));
}

ParkedRequests::Parked ParkedRequests::Take(uint64_t number) {
  auto taken = parked_.extract(number);
  Parked parked = std::move(taken.mapped());
  by_deadline_.erase({parked.deadline, number});
  if (parked.request.has_watch_job()) {
    Remove(&watchers_, parked.request.watch_job().job(), number);
    return parked;
  }
  const v1::NextTask& ask = parked.request.next_task();
  Remove(&slots_, ask.node(), number);
  if (ask.job() != 0) {
    Remove(&ranks_, ask.job(), number);
  } else if (--free_slots_[ask.node()] == 0) {
    free_slots_.erase(ask.node());
  }
  return parked;
}

void ParkedRequests::CollectWatchers(uint64_t job, std::set<uint64_t>* numbers) const {
  Collect(watchers_, job, numbers);
}
void ParkedRequests::CollectRanks(uint64_t job, std::set<uint64_t>* numbers) const {
  Collect(ranks_, job, numbers);
}
void ParkedRequests::CollectSlots(uint64_t node, std::set<uint64_t>* numbers) const {
  Collect(slots_, node, numbers);
}

uint32_t ParkedRequests::FreeSlots(uint64_t node) const {
  const auto found = free_slots_.find(node);
  return found == free_slots_.end() ? 0 : found->second;
}

std::vector<ParkedRequests::Parked> ParkedRequests::TakeLate(absl::Time now) {
  std::vector<Parked> late;
  while (!by_deadline_.empty() && by_deadline_.begin()->first <= now) {
    late.push_back(Take(by_deadline_.begin()->second));
  }
  return late;
}

absl::Time ParkedRequests::next_deadline() const {
  return by_deadline_.empty() ? absl::InfiniteFuture() : by_deadline_.begin()->first;
}

std::vector<ParkedRequests::Parked> ParkedRequests::TakeAll() {
  std::vector<Parked> all;
  while (!parked_.empty()) all.push_back(Take(parked_.begin()->first));
  return all;
}

}  // namespace seraph
