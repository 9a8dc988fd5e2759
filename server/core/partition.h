// SPDX-License-Identifier: Apache-2.0
// One partition of one table: its rows, its place in time, and the pushes that wait for a fold.
#ifndef SERAPH_SERVER_CORE_PARTITION_H_
#define SERAPH_SERVER_CORE_PARTITION_H_

#include <cstdint>
#include <map>
#include <memory>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/consistency/group_clock.h"
#include "server/core/bsp_round.h"
#include "server/core/memory_budget.h"
#include "server/core/requests.h"
#include "server/core/served_table.h"
#include "server/table/partition_store.h"

namespace seraph {

// Training rows behind each step that is not folded yet, all ranks together.
using StepRows = std::map<int64_t, uint64_t>;

// Owned by one executor: not thread-safe. Each change of rows has the next number in the
// partition's order, its LSN: replication and snapshots follow that order.
//
// The windows that tell a repeated push from a new one (low-water mark and 256 bits for each
// session, kept, copied and saved with the rows) belong here, asked by Push before it applies or
// parks anything, by PartitionPush::sequence.
class Partition {
 public:
  // `budget` counts the rows and outlives the partition.
  Partition(std::shared_ptr<const ServedTable> table, uint32_t number, MemoryBudget* budget);
  ~Partition();
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // Weights into `out` [keys.size(), dim]. The reason when an earlier fold has failed.
  absl::Status Read(absl::Span<const uint64_t> keys, absl::Span<float> out) const;

  // Applies the push, or parks it for the fold of step `clock`, by the table's mode. REQUIRES:
  // values are finite; a parked step has not been folded. INVALID_ARGUMENT when repeated keys sum
  // to what is not finite, RESOURCE_EXHAUSTED by the store, the reason when an earlier fold has
  // failed: no row has changed.
  absl::Status Push(uint32_t rank, int64_t clock, PartitionPush push);

  // Folds what the commits in `group` allow. A fold that fails leaves its reason behind: the pushes
  // were acknowledged, so every later request says that the table is no longer whole.
  void Fold(const GroupClock& group, const StepRows& rows);

  CoreRows Export() const;
  absl::Status Import(const CoreRows& rows);

  const ServedTable& table() const { return *table_; }
  uint32_t number() const { return number_; }
  uint64_t lsn() const { return lsn_; }
  const PartitionStore& store() const { return *store_; }

 private:
  absl::Status Apply(const PartitionPush& push);
  void CountBytes();

  const std::shared_ptr<const ServedTable> table_;
  const uint32_t number_;
  MemoryBudget* const budget_;
  const std::unique_ptr<PartitionStore> store_;
  uint64_t lsn_ = 0;
  int64_t counted_bytes_ = 0;           // What the budget knows of our rows.
  std::map<int64_t, BspRound> rounds_;  // By step.
  absl::Status fold_error_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PARTITION_H_
