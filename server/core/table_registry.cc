// SPDX-License-Identifier: Apache-2.0
#include "server/core/table_registry.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/consistency/policy.h"
#include "server/optimizer/optimizer.h"
#include "server/table/row_memory.h"

namespace seraph {
namespace {

// Reasons of this many dropped groups are kept for latecomers.
constexpr size_t kDroppedKept = 64;

// How a table that is open differs from one that is asked for; OK when it does not.
absl::Status CheckSame(const ServedTable& table, const CoreTableRequest& request) {
  if (table.spec == request.spec && table.group == request.group &&
      table.map_epoch == request.map_epoch && table.workers == request.workers) {
    return absl::OkStatus();
  }
  const std::string difference = DescribeDifference(table.spec, request.spec);
  if (!difference.empty()) return absl::FailedPreconditionError(difference);
  return absl::FailedPreconditionError(absl::StrCat(
      "table ", request.id, " is open as ", table.spec.name, " of group ", table.group, " with ",
      table.workers, " workers at map epoch ", table.map_epoch, "; asked for ", request.spec.name,
      " of ", request.group, " with ", request.workers, " at ", request.map_epoch));
}

}  // namespace

absl::Status TableRegistry::TakeDenseRows(const CoreTableRequest& request, uint64_t owned,
                                          ServedTable* table) {
  const TableSpec& spec = request.spec;
  const uint64_t block = (spec.rows - 1) / spec.partitions + 1;
  const uint32_t state_width = table->optimizer->StateWidth(spec.dim);
  const auto bytes =
      static_cast<unsigned __int128>(DenseBlockBytes(block, spec.dim, state_width)) * owned;
  const auto limit = static_cast<uint64_t>(budget_->limit());
  if (bytes <= limit && budget_->TryTakeRows(static_cast<int64_t>(bytes))) {
    table->dense_rows = RowsShare(budget_, static_cast<int64_t>(bytes));
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(absl::StrCat(
      "table ", spec.name, ": ", block, " rows in each of ", owned, " partitions, of ",
      RowBytes(spec.kind, spec.dim, state_width), " bytes each, do not fit: ", budget_->used(),
      " of the server's memory of ", limit, " bytes are in use"));
}

absl::StatusOr<std::shared_ptr<const ServedTable>> TableRegistry::NewTable(
    const CoreTableRequest& request) {
  auto table = std::make_shared<ServedTable>();
  table->id = request.id;
  table->group = request.group;
  table->workers = request.workers;
  table->map_epoch = request.map_epoch;
  table->spec = request.spec;
  ASSIGN_OR_RETURN(table->optimizer, NewOptimizer(request.spec.optimizer));
  table->policy = NewConsistencyPolicy(request.spec.sync);
  // Dealt in turn, so that the partitions owned here spread evenly whichever they are; tables of
  // one partition start at different executors.
  table->executor.assign(request.spec.partitions, ServedTable::kElsewhere);
  uint64_t owned = 0;
  for (uint32_t p = 0; p < request.spec.partitions; ++p) {
    if (!request.owned[p]) continue;
    table->executor[p] =
        static_cast<int32_t>((request.id + owned++) % static_cast<uint64_t>(executors_));
  }
  if (request.spec.kind == TableKind::kDense) {
    RETURN_IF_ERROR(TakeDenseRows(request, owned, table.get()));
  }
  return table;
}

absl::StatusOr<std::shared_ptr<const ServedTable>> TableRegistry::Open(
    const CoreTableRequest& request) {
  const auto open = tables_.find(request.id);
  if (open != tables_.end()) {
    RETURN_IF_ERROR(CheckSame(*open->second, request));
    return open->second;
  }
  const auto group = groups_.find(request.group);
  if (group != groups_.end() && group->second.workers() != request.workers) {
    return absl::FailedPreconditionError(
        absl::StrCat("table ", request.spec.name, ": group ", request.group, " has ",
                     group->second.workers(), " workers, asked for ", request.workers));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const ServedTable> table, NewTable(request));
  groups_.try_emplace(request.group, request.group, request.workers).first->second.AddTable(*table);
  dropped_.erase(std::remove_if(dropped_.begin(), dropped_.end(),
                                [&](const DroppedGroup& d) { return d.name == request.group; }),
                 dropped_.end());
  tables_[request.id] = table;
  return table;
}

absl::Status TableRegistry::CheckDropped(const std::string& group) const {
  for (const DroppedGroup& dropped : dropped_) {
    if (dropped.name != group) continue;
    return absl::AbortedError(absl::StrCat("group ", group, " was dropped: ", dropped.reason));
  }
  return absl::OkStatus();
}

absl::StatusOr<GroupSessions*> TableRegistry::FindGroup(const std::string& group) {
  RETURN_IF_ERROR(CheckDropped(group));
  const auto found = groups_.find(group);
  if (found != groups_.end()) return &found->second;
  return absl::NotFoundError(absl::StrCat("group ", group, " has no table on this server"));
}

absl::StatusOr<std::shared_ptr<const ServedTable>> TableRegistry::Find(const std::string& group,
                                                                       uint32_t id) const {
  RETURN_IF_ERROR(CheckDropped(group));
  const auto found = tables_.find(id);
  if (found == tables_.end() || found->second->group != group) {
    return absl::NotFoundError(
        absl::StrCat("table ", id, " of group ", group, " is not open on this server"));
  }
  return found->second;
}

void TableRegistry::Drop(const std::string& group, const std::string& reason) {
  const auto found = groups_.find(group);
  if (found == groups_.end()) return;
  for (const uint32_t id : found->second.tables()) tables_.erase(id);
  groups_.erase(found);
  dropped_.push_back({group, reason});
  if (dropped_.size() > kDroppedKept) dropped_.pop_front();
}

}  // namespace seraph
