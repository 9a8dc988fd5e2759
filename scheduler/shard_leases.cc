// SPDX-License-Identifier: Apache-2.0
#include "scheduler/shard_leases.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/hash.h"
#include "common/random.h"

namespace seraph {
namespace {

constexpr uint32_t kLeasesPerWorker = 8;
constexpr uint32_t kMostBlocks = 64;  // Of a lease.

uint32_t LeaseSize(uint32_t blocks, uint32_t workers) {
  const uint64_t even = blocks / (uint64_t{kLeasesPerWorker} * workers);
  return static_cast<uint32_t>(std::clamp<uint64_t>(even, 1, kMostBlocks));
}

}  // namespace

ShardLeases::ShardLeases(uint32_t blocks, uint32_t workers, uint64_t seed)
    : blocks_(blocks), lease_size_(LeaseSize(blocks, workers)), seed_(seed) {}

void ShardLeases::StartEpoch(uint64_t epoch) {
  undealt_.clear();
  held_.clear();
  finished_by_.clear();
  done_ = 0;
  first_id_of_epoch_ = next_id_;
  std::vector<uint32_t> order(blocks_);
  std::iota(order.begin(), order.end(), 0u);
  SplitMix64(Mix64(seed_, epoch)).Shuffle(absl::MakeSpan(order));
  for (size_t at = 0; at < order.size(); at += lease_size_) {
    const size_t end = std::min<size_t>(order.size(), at + lease_size_);
    undealt_.emplace_back(order.begin() + at, order.begin() + end);
  }
}

ShardLeases::Lease ShardLeases::Next(uint32_t rank) {
  Lease lease;
  if (undealt_.empty()) return lease;
  lease.id = next_id_++;
  lease.blocks = std::move(undealt_.front());
  undealt_.pop_front();
  held_[lease.id] = {rank, lease.blocks};
  return lease;
}

absl::Status ShardLeases::Done(uint32_t rank, uint64_t lease) {
  if (lease < first_id_of_epoch_) return absl::OkStatus();
  if (const auto by = finished_by_.find(lease); by != finished_by_.end() && by->second == rank) {
    return absl::OkStatus();
  }
  const auto held = held_.find(lease);
  if (held == held_.end() || held->second.rank != rank) {
    return absl::FailedPreconditionError(
        absl::StrCat("lease ", lease, " is not rank ", rank, "'s"));
  }
  done_ += static_cast<uint32_t>(held->second.blocks.size());
  finished_by_[lease] = rank;
  held_.erase(held);
  return absl::OkStatus();
}

void ShardLeases::DoneAll(uint32_t rank) {
  for (auto it = held_.begin(); it != held_.end();) {
    if (it->second.rank != rank) {
      ++it;
      continue;
    }
    done_ += static_cast<uint32_t>(it->second.blocks.size());
    finished_by_[it->first] = rank;
    it = held_.erase(it);
  }
}

}  // namespace seraph
