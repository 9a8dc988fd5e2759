// SPDX-License-Identifier: Apache-2.0
// A push on its way through the executors, and the memory that was set aside for it.
#ifndef SERAPH_SERVER_CORE_PUSH_TASK_H_
#define SERAPH_SERVER_CORE_PUSH_TASK_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "server/core/bsp_round.h"
#include "server/core/memory_budget.h"
#include "server/core/pull_task.h"
#include "server/core/requests.h"
#include "server/core/row_account.h"

namespace seraph {

// Used by one thread at a time; its executors each take their own parts.
//
// Errors of the memory: RESOURCE_EXHAUSTED, and nothing has changed, when it would fit later: other
// pushes hold the memory now. FAILED_PRECONDITION when it cannot fit beside the rows that are
// there, however long one waits. Both name table, rank, clock, bytes and limit.
class PushTask {
 public:
  // `runs`: by executor. `budget` and `parked_bytes` (the bytes of all parked pushes) outlive the
  // task.
  PushTask(CorePush push, std::vector<std::vector<KeyRun>> runs, MemoryBudget* budget,
           std::atomic<int64_t>* parked_bytes);

  const CorePush& push() const { return push_; }
  const std::vector<std::vector<KeyRun>>& runs() const { return runs_; }
  bool applies_now() const { return applies_now_; }  // Some of it, on arrival.

  // Sets memory aside for what is parked. `lowest`: all wait for this rank, so that it may use the
  // reserve.
  absl::Status TakeParked(bool lowest);

  // Sets memory aside for rows that are made on arrival: for as many as the push has keys, or for
  // so many bytes as are known to be missing. False where there is no room for so many; then they
  // are counted.
  bool TakeMostRows();
  absl::Status TakeRows(int64_t bytes);

  // Executor `executor`'s part, in the order of its runs. Called once for each.
  std::vector<PartitionPush> TakeParts(size_t executor);

  static bool Parks(const CorePushSlice& slice) { return slice.keys.table->policy->ParksPushes(); }
  // Whether the rows of the slice are paid for as they are made, on arrival.
  static bool MakesRows(const CorePushSlice& slice) {
    return !Parks(slice) && slice.keys.table->spec.kind == TableKind::kSparse;
  }

 private:
  absl::Status NoRoom(const char* what, bool parked, int64_t bytes) const;

  const CorePush push_;
  const std::vector<std::vector<KeyRun>> runs_;
  MemoryBudget* const budget_;
  std::atomic<int64_t>* const parked_bytes_;
  int64_t park_bytes_ = 0;      // Of all that is to be parked.
  int64_t most_row_bytes_ = 0;  // If every key made a row.
  bool applies_now_ = false;
  BudgetShare parked_;
  std::shared_ptr<RowCredit> credit_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PUSH_TASK_H_
