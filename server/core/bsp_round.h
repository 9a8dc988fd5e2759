// SPDX-License-Identifier: Apache-2.0
// One BSP step of one partition: pushes wait here until every rank has committed, and then change
// the rows once.
#ifndef SERAPH_SERVER_CORE_BSP_ROUND_H_
#define SERAPH_SERVER_CORE_BSP_ROUND_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/core/gradient_sums.h"
#include "server/core/memory_budget.h"
#include "server/core/requests.h"
#include "server/core/row_account.h"
#include "server/table/partition_store.h"

namespace seraph {

// The part of a push that belongs to one partition.
struct PartitionPush {
  CorePushKind kind = CorePushKind::kGradient;
  uint64_t sequence = 0;  // Orders a rank's pushes; 0: in order of arrival.
  absl::Span<const uint64_t> keys;
  absl::Span<const float> values;      // [keys, dim]
  std::shared_ptr<const void> memory;  // Behind both spans.
  BudgetShare share;                   // Of a push to be parked: SumBytes of its keys.
  std::shared_ptr<RowCredit> credit;   // Of one to be applied: pays for the rows that it makes.
};

// Not thread-safe. The outcome depends on what each rank pushed, in which order of sequence
// numbers, and on nothing else: not on arrival, not on how rows are spread over partitions.
class BspRound {
 public:
  BspRound(uint32_t dim, uint32_t workers)
      : parked_(workers), gradient_(dim), adds_(dim), assigns_(dim) {}

  // REQUIRES: rank >= next_rank(); Partition refuses pushes of ranks that have committed.
  void Park(uint32_t rank, PartitionPush push);

  // Sums the pushes of next_rank() onto those of the ranks below and frees them. Their shares
  // become that of the sums; what the sums do not need is given back.
  void FoldNextRank();
  uint32_t next_rank() const { return next_rank_; }
  bool complete() const { return next_rank_ == parked_.size(); }

  // Gradients through the optimizer, then adds, then assigns (of a key that several ranks assign,
  // the highest rank's). The gradient is divided by `divisor` first; `rate_scale` as in
  // Optimizer::Apply. REQUIRES: complete().
  // INVALID_ARGUMENT when sums of finite values are not finite, RESOURCE_EXHAUSTED by the store;
  // then a kind that came before may have been applied.
  absl::Status Apply(const std::string& table, double divisor, float rate_scale,
                     PartitionStore* store);

 private:
  std::vector<std::vector<PartitionPush>> parked_;  // [rank], each in order of its fold.
  uint32_t next_rank_ = 0;
  GradientSums gradient_;
  GradientSums adds_;
  GradientSums assigns_;
  BudgetShare share_;  // Of the sums.
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_BSP_ROUND_H_
