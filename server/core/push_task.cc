// SPDX-License-Identifier: Apache-2.0
#include "server/core/push_task.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "server/core/gradient_sums.h"

namespace seraph {

PushTask::PushTask(CorePush push, std::vector<std::vector<KeyRun>> runs, MemoryBudget* budget,
                   std::atomic<int64_t>* parked_bytes)
    : push_(std::move(push)), runs_(std::move(runs)), budget_(budget), parked_bytes_(parked_bytes) {
  for (const CorePushSlice& slice : push_.slices) {
    const ServedTable& table = *slice.keys.table;
    const size_t keys = slice.keys.keys.size();
    if (Parks(slice)) park_bytes_ += SumBytes(keys, table.spec.dim);
    if (MakesRows(slice)) most_row_bytes_ += static_cast<int64_t>(keys * table.row_bytes());
    applies_now_ = applies_now_ || !Parks(slice);
  }
}

absl::Status PushTask::NoRoom(const char* what, bool parked, int64_t bytes) const {
  const CorePushSlice* first = nullptr;
  for (const CorePushSlice& slice : push_.slices) {
    if (first == nullptr && (parked ? Parks(slice) : MakesRows(slice))) first = &slice;
  }
  const std::string said =
      absl::StrCat("push to table ", first == nullptr ? "?" : first->keys.table->spec.name,
                   " by worker ", push_.session.rank, " at clock ", push_.session.clock, ": ",
                   bytes, " bytes ", what, " do not fit: ", budget_->used(),
                   " of the server's memory of ", budget_->limit(), " bytes are in use");
  if (budget_->FitsBesideRows(bytes)) return absl::ResourceExhaustedError(said);
  return absl::FailedPreconditionError(
      absl::StrCat(said, ", ", budget_->rows(), " of them by rows, which stay"));
}

absl::Status PushTask::TakeParked(bool lowest) {
  if (park_bytes_ == 0) return absl::OkStatus();
  if (!budget_->TryTake(park_bytes_, lowest ? 0 : budget_->reserve())) {
    return NoRoom("to be parked", true, park_bytes_);
  }
  parked_ = BudgetShare(budget_, parked_bytes_, park_bytes_);
  return absl::OkStatus();
}

bool PushTask::TakeMostRows() { return most_row_bytes_ == 0 || TakeRows(most_row_bytes_).ok(); }

absl::Status PushTask::TakeRows(int64_t bytes) {
  if (!budget_->TryTake(bytes)) return NoRoom("of new rows", false, bytes);
  credit_ = std::make_shared<RowCredit>(budget_, bytes);
  return absl::OkStatus();
}

std::vector<PartitionPush> PushTask::TakeParts(size_t executor) {
  std::vector<PartitionPush> parts;
  for (const KeyRun& run : runs_[executor]) {
    const CorePushSlice& slice = push_.slices[run.slice];
    const uint32_t dim = slice.keys.table->spec.dim;
    parts.push_back({.kind = push_.kind,
                     .sequence = run.sequence,
                     .keys = slice.keys.keys.subspan(run.first, run.count),
                     .values = slice.values.subspan(run.first * dim, run.count * dim),
                     .memory = push_.memory,
                     .share = {},
                     .credit = nullptr});
    if (Parks(slice)) {
      parts.back().share = parked_.Split(SumBytes(run.count, dim));
    } else {
      parts.back().credit = credit_;
    }
  }
  return parts;
}

}  // namespace seraph
