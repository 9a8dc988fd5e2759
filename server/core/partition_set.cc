// SPDX-License-Identifier: Apache-2.0
#include "server/core/partition_set.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

absl::Status Dropped(const std::string& group) {
  return absl::AbortedError(absl::StrCat("group ", group, " was dropped"));
}

}  // namespace

void PartitionSet::Open(const std::shared_ptr<const ServedTable>& table) {
  Group& group = groups_.try_emplace(table->group, table->workers).first->second;
  for (uint32_t p = 0; p < table->spec.partitions; ++p) {
    if (table->executor[p] != number_) continue;
    std::unique_ptr<Partition>& place = partitions_[{table->id, p}];
    if (place != nullptr) continue;
    place = std::make_unique<Partition>(table, p, &group.clock, budget_);
    group.partitions.push_back(place.get());
  }
}

void PartitionSet::Drop(const std::string& name, const absl::Status& reason) {
  const auto found = groups_.find(name);
  if (found == groups_.end()) return;
  for (const ParkedPull& parked : found->second.parked) parked.task->Finish(reason);
  for (const Partition* partition : found->second.partitions) {
    partitions_.erase(PartitionKey{partition->table().id, partition->number()});
  }
  groups_.erase(found);
}

void PartitionSet::Commit(const CoreCommit& commit) {
  const auto found = groups_.find(commit.session.group);
  if (found == groups_.end()) return;
  Group& group = found->second;
  if (!group.clock.Commit(commit.session.rank, commit.session.clock, commit.idle)) return;
  group.rows[commit.session.clock] += commit.rows;
  Moved(&group);
}

void PartitionSet::MoveTo(const std::string& name, uint32_t rank, int64_t clock) {
  const auto found = groups_.find(name);
  if (found == groups_.end()) return;
  found->second.clock.MoveTo(rank, clock);
  Moved(&found->second);
}

void PartitionSet::Moved(Group* group) {
  for (Partition* partition : group->partitions) {
    if (partition->table().policy->ParksPushes()) partition->Fold(group->rows);
  }
  group->rows.erase(group->rows.begin(), group->rows.lower_bound(group->clock.slowest()));
  std::vector<ParkedPull> still;
  for (ParkedPull& parked : group->parked) {
    if (parked.task->MayRun(group->clock)) {
      Run(*group, parked.task.get(), parked.runs);
    } else {
      still.push_back(std::move(parked));
    }
  }
  group->parked = std::move(still);
}

void PartitionSet::Pull(std::shared_ptr<PullTask> task, std::vector<KeyRun> runs) {
  const auto found = groups_.find(task->group());
  if (found == groups_.end()) return task->Finish(Dropped(task->group()));
  Group& group = found->second;
  if (task->MayRun(group.clock)) return Run(group, task.get(), runs);
  task->NotePark();
  group.parked.push_back({std::move(task), std::move(runs)});
}

void PartitionSet::Run(const Group& group, PullTask* task, const std::vector<KeyRun>& runs) const {
  task->NoteVersion(group.clock.slowest());
  task->Finish(Read(group, task->request(), runs));
}

absl::Status PartitionSet::Read(const Group& group, const CorePull& request,
                                const std::vector<KeyRun>& runs) const {
  for (const KeyRun& run : runs) {
    const CorePullSlice& slice = request.slices[run.slice];
    const ServedTable& table = *slice.keys.table;
    if (!request.read_only && table.policy->ParksPushes() &&
        group.clock.slowest() > request.session.clock) {
      return absl::FailedPreconditionError(absl::StrCat(
          "pull of ", table.spec.name, " at clock ", request.session.clock, " by worker ",
          request.session.rank, ": the table holds ", group.clock.slowest(), " steps already"));
    }
    const Partition* partition = Find(table.id, run.partition);
    if (partition == nullptr) return Dropped(table.group);
    const uint32_t dim = table.spec.dim;
    const auto keys = slice.keys.keys.subspan(run.first, run.count);
    const auto out = slice.out.subspan(run.first * dim, run.count * dim);
    RETURN_IF_ERROR(request.read_only ? partition->ReadWritten(keys, out)
                                      : partition->Read(keys, out));
  }
  return absl::OkStatus();
}

absl::Status PartitionSet::Push(const ServedTable& table, uint32_t partition, uint32_t rank,
                                int64_t clock, PartitionPush push) {
  const auto found = partitions_.find(PartitionKey{table.id, partition});
  if (found == partitions_.end()) return Dropped(table.group);
  return found->second->Push(rank, clock, std::move(push));
}

int64_t PartitionSet::NewRowBytes(uint32_t table, uint32_t partition,
                                  absl::Span<const uint64_t> keys) const {
  const Partition* found = Find(table, partition);
  return found == nullptr ? 0 : found->NewRowBytes(keys);
}

absl::StatusOr<CoreRows> PartitionSet::Export(uint32_t table, uint32_t partition) const {
  const Partition* found = Find(table, partition);
  if (found != nullptr) return found->Export();
  return absl::NotFoundError(absl::StrCat("partition ", partition, " of table ", table));
}

absl::Status PartitionSet::Import(uint32_t table, uint32_t partition, const CoreRows& rows) {
  const auto found = partitions_.find(PartitionKey{table, partition});
  if (found != partitions_.end()) return found->second->Import(rows);
  return absl::NotFoundError(absl::StrCat("partition ", partition, " of table ", table));
}

void PartitionSet::Expire(absl::Time now) {
  for (auto& [name, group] : groups_) {
    const auto late = std::stable_partition(
        group.parked.begin(), group.parked.end(), [now](const ParkedPull& parked) {
          return parked.task->deadline() > now && !parked.task->failed();
        });
    for (auto it = late; it != group.parked.end(); ++it) {
      it->task->Finish(it->task->WaitedTooLong(group.clock));
    }
    group.parked.erase(late, group.parked.end());
  }
}

absl::Time PartitionSet::NextDeadline() const {
  absl::Time next = absl::InfiniteFuture();
  for (const auto& [name, group] : groups_) {
    for (const ParkedPull& parked : group.parked) next = std::min(next, parked.task->deadline());
  }
  return next;
}

void PartitionSet::FailParked(const absl::Status& reason) {
  for (auto& [name, group] : groups_) {
    for (const ParkedPull& parked : group.parked) parked.task->Finish(reason);
    group.parked.clear();
  }
}

uint64_t PartitionSet::rows() const {
  uint64_t rows = 0;
  for (const auto& [key, partition] : partitions_) rows += partition->store().rows();
  return rows;
}

uint64_t PartitionSet::resident_bytes() const {
  uint64_t bytes = 0;
  for (const auto& [key, partition] : partitions_) bytes += partition->store().resident_bytes();
  return bytes;
}

const Partition* PartitionSet::Find(uint32_t table, uint32_t partition) const {
  const auto found = partitions_.find(PartitionKey{table, partition});
  return found == partitions_.end() ? nullptr : found->second.get();
}

}  // namespace seraph
