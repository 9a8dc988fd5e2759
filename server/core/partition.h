// SPDX-License-Identifier: Apache-2.0
// One partition of one table: its rows, its place in time, and the pushes that wait for a fold.
#ifndef SERAPH_SERVER_CORE_PARTITION_H_
#define SERAPH_SERVER_CORE_PARTITION_H_

#include <cstdint>
#include <map>
#include <memory>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "server/consistency/group_clock.h"
#include "server/core/bsp_round.h"
#include "server/core/memory_budget.h"
#include "server/core/requests.h"
#include "server/core/row_account.h"
#include "server/core/served_table.h"
#include "server/table/partition_store.h"

namespace seraph {

// Training rows behind each step that is not folded yet, all ranks together.
using StepRows = std::map<int64_t, uint64_t>;

// Owned by one executor: not thread-safe.
//
// The windows that tell a repeated push from a new one (low-water mark and 256 bits for each
// session, kept, copied and saved with the rows) belong here, asked by Push before it applies or
// parks anything, by PartitionPush::sequence.
class Partition {
 public:
  // `group` is the executor's copy of the table's group's clock: which steps are folded and which
  // ranks may still push is read from it. `budget` is asked for the rows of a sparse table (the
  // table has those of a dense one already). Both outlive the partition.
  Partition(std::shared_ptr<const ServedTable> table, uint32_t number, const GroupClock* group,
            MemoryBudget* budget);
  Partition(const Partition&) = delete;
  Partition& operator=(const Partition&) = delete;

  // Weights into `out` [keys.size(), dim]. The reason when an earlier fold has failed.
  absl::Status Read(absl::Span<const uint64_t> keys, absl::Span<float> out) const;
  // The same for scoring (PartitionStore::GatherWritten).
  absl::Status ReadWritten(absl::Span<const uint64_t> keys, absl::Span<float> out) const;

  // Applies the push, or parks it for the fold of step `clock`, by the table's mode. REQUIRES:
  // values are finite; `rank` is one of the group's. FAILED_PRECONDITION naming rank and clock when
  // the rank has committed the step (its commit has overtaken the push): what would be parked then
  // belongs to a fold that is over; also when there is no memory for new rows (other partitions may
  // have applied their part, so that the push cannot be repeated). INVALID_ARGUMENT when repeated
  // keys sum to what is not finite, the reason when an earlier fold has failed. After any of them
  // no row has changed here.
  absl::Status Push(uint32_t rank, int64_t clock, PartitionPush push);

  // Folds what the group's commits allow; `rows` as in StepRows. A fold that fails leaves its
  // reason behind: the pushes were acknowledged, so every later request says that the table is no
  // longer whole.
  void Fold(const StepRows& rows);

  // Rows out, and others in their place. The reason when an earlier fold has failed: a table that
  // lacks a step is not saved as if it were whole, and parked pushes have no place in another.
  absl::StatusOr<CoreRows> Export() const;
  absl::Status Import(const CoreRows& rows);

  // What rows a push of these keys would make, in bytes of the budget.
  int64_t NewRowBytes(absl::Span<const uint64_t> keys) const {
    return static_cast<int64_t>(store_->BytesToAdd(keys));
  }

  const ServedTable& table() const { return *table_; }
  uint32_t number() const { return number_; }
  const PartitionStore& store() const { return *store_; }

 private:
  absl::Status Apply(int64_t clock, const PartitionPush& push);
  absl::Status Write(int64_t clock, const PartitionPush& push, absl::Span<const uint64_t> keys,
                     absl::Span<const float> values);
  // Of the step `clock`: the pusher's when a push applies on arrival, the fold's under BSP, so that
  // neither arrival nor placement shows in it.
  float RateScaleAt(int64_t clock) const;

  const std::shared_ptr<const ServedTable> table_;
  const uint32_t number_;
  const GroupClock* const group_;
  RowAccount account_;
  const std::unique_ptr<PartitionStore> store_;
  std::map<int64_t, BspRound> rounds_;  // By step.
  absl::Status fold_error_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PARTITION_H_
