// SPDX-License-Identifier: Apache-2.0
#include "server/core/partition.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/core/gradient_sums.h"
#include "server/optimizer/schedule.h"

namespace seraph {
namespace {

// Memory that is missing after the push was taken, or after a part of it was applied: no repeat can
// mend that, and its code must not ask for one.
absl::Status Final(const absl::Status& status) {
  return absl::IsResourceExhausted(status) ? absl::FailedPreconditionError(status.message())
                                           : status;
}

}  // namespace

Partition::Partition(std::shared_ptr<const ServedTable> table, uint32_t number,
                     const GroupClock* group, MemoryBudget* budget)
    : table_(std::move(table)),
      number_(number),
      group_(group),
      account_(budget),
      store_(NewPartitionStore(
          {.spec = table_->spec,
           .partition = number,
           .optimizer = table_->optimizer.get(),
           .memory = table_->spec.kind == TableKind::kDense ? nullptr : &account_})) {}

absl::Status Partition::Read(absl::Span<const uint64_t> keys, absl::Span<float> out) const {
  RETURN_IF_ERROR(fold_error_);
  return store_->Gather(keys, out);
}

absl::Status Partition::ReadWritten(absl::Span<const uint64_t> keys, absl::Span<float> out) const {
  RETURN_IF_ERROR(fold_error_);
  return store_->GatherWritten(keys, out);
}

absl::Status Partition::Push(uint32_t rank, int64_t clock, PartitionPush push) {
  RETURN_IF_ERROR(fold_error_);
  if (clock < group_->clock(rank)) {
    return absl::FailedPreconditionError(
        absl::StrCat("push to table ", table_->spec.name, " by worker ", rank, " at clock ", clock,
                     ": the worker has committed that step and is at clock ", group_->clock(rank)));
  }
  if (!table_->policy->ParksPushes()) return Apply(clock, push);
  rounds_.try_emplace(clock, table_->spec.dim, table_->workers)
      .first->second.Park(rank, std::move(push));
  return absl::OkStatus();
}

absl::Status Partition::Apply(int64_t clock, const PartitionPush& push) {
  absl::Span<const uint64_t> keys = push.keys;
  absl::Span<const float> values = push.values;
  GradientSums distinct(table_->spec.dim);
  if (HasRepeats(keys)) {
    if (push.kind == CorePushKind::kAssign) {
      distinct.Overwrite(keys, values);
    } else {
      distinct.Add(keys, values);
    }
    keys = distinct.keys();
    values = distinct.values();
    RETURN_IF_ERROR(CheckFinite(table_->spec.name, keys, values));
  }
  account_.set_credit(push.credit.get());
  const absl::Status applied = Write(clock, push, keys, values);
  account_.set_credit(nullptr);
  return Annotate(Final(applied), absl::StrCat("push to table ", table_->spec.name));
}

float Partition::RateScaleAt(int64_t clock) const {
  return RateScale(table_->spec.optimizer.schedule, clock);
}

absl::Status Partition::Write(int64_t clock, const PartitionPush& push,
                              absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  switch (push.kind) {
    case CorePushKind::kGradient:
      return store_->ApplyGradients(keys, values, RateScaleAt(clock));
    case CorePushKind::kAdd:
      return store_->Add(keys, values);
    case CorePushKind::kAssign:
      return store_->Assign(keys, values);
  }
  return absl::InternalError("a push of no kind");
}

void Partition::Fold(const StepRows& rows) {
  while (!rounds_.empty()) {
    const auto first = rounds_.begin();
    const int64_t clock = first->first;
    BspRound& round = first->second;
    while (!round.complete() && group_->clock(round.next_rank()) > clock) round.FoldNextRank();
    if (!round.complete()) return;
    const auto found = rows.find(clock);
    const uint64_t total = found == rows.end() ? 0 : found->second;
    const bool mean = table_->spec.sync.reduce == SyncSpec::Reduce::kMean && total > 0;
    const absl::Status applied =
        round.Apply(table_->spec.name, mean ? static_cast<double>(total) : 1.0, RateScaleAt(clock),
                    store_.get());
    if (!applied.ok() && fold_error_.ok()) {
      fold_error_ =
          Annotate(Final(applied), absl::StrCat("table ", table_->spec.name, " at clock ", clock,
                                                ": the folded pushes could not be applied"));
    }
    rounds_.erase(first);
  }
}

absl::StatusOr<CoreRows> Partition::Export() const {
  RETURN_IF_ERROR(fold_error_);
  CoreRows rows;
  store_->Export(&rows.keys, &rows.rows);
  return rows;
}

absl::Status Partition::Import(const CoreRows& rows) {
  RETURN_IF_ERROR(fold_error_);
  return store_->Import(rows.keys, rows.rows);
}

}  // namespace seraph
