// SPDX-License-Identifier: Apache-2.0
#include "scheduler/table_catalogue.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr uint64_t kMostDenseRows = uint64_t{1} << 48;

absl::Status Check(const std::string& group, const TableSpec& spec, uint32_t workers) {
  if (group.empty() || group.size() > kMaxNameBytes || spec.name.size() > kMaxNameBytes) {
    return absl::InvalidArgumentError(absl::StrCat("create table: group and name have 1..",
                                                   kMaxNameBytes, " bytes, not ", group.size(),
                                                   " and ", spec.name.size()));
  }
  if (workers < 1 || workers > kMaxGroupWorkers) {
    return absl::InvalidArgumentError(absl::StrCat("create table ", spec.name, ": ", workers,
                                                   " workers, a group has 1..", kMaxGroupWorkers));
  }
  if (spec.rows > kMostDenseRows) {
    return absl::InvalidArgumentError(absl::StrCat("create table ", spec.name, ": ", spec.rows,
                                                   " rows, at most ", kMostDenseRows));
  }
  return ValidateTableSpec(spec);
}

// Whether `entry` is what is asked for now.
absl::Status CheckSame(const TableEntry& entry, const TableSpec& spec, uint32_t workers) {
  const std::string difference = DescribeDifference(entry.spec, spec);
  if (!difference.empty()) return absl::FailedPreconditionError(difference);
  if (entry.group != kSharedGroup && entry.workers != workers) {
    return absl::FailedPreconditionError(absl::StrCat("table ", spec.name, ": group ", entry.group,
                                                      " has ", entry.workers,
                                                      " workers, asked for ", workers));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<const TableEntry*> TableCatalogue::OpenOrCreate(
    const std::string& group, const TableSpec& spec, uint32_t workers,
    absl::Span<const ServerRef> servers) {
  RETURN_IF_ERROR(Check(group, spec, workers));
  const std::string owner_group = absl::StartsWith(spec.name, "shared/") ? kSharedGroup : group;
  const Key key(owner_group, spec.name);
  if (const auto found = tables_.find(key); found != tables_.end()) {
    RETURN_IF_ERROR(CheckSame(found->second, spec, workers));
    return &found->second;
  }
  if (servers.empty()) {
    return absl::UnavailableError(
        absl::StrCat("create table ", spec.name, ": no server is registered"));
  }
  if (tables_of_group_.size() >= kMostGroups && !tables_of_group_.contains(owner_group)) {
    return absl::ResourceExhaustedError(absl::StrCat("create table ", spec.name, ": there are ",
                                                     tables_of_group_.size(),
                                                     " groups with tables"));
  }
  size_t& count = tables_of_group_[owner_group];
  if (count >= kMostTables) {
    return absl::ResourceExhaustedError(absl::StrCat("create table ", spec.name, ": group ",
                                                     owner_group, " has ", count, " tables"));
  }
  ++count;
  TableEntry& entry = tables_[key];
  entry.id = next_id_++;
  entry.group = owner_group;
  entry.spec = spec;
  entry.owner = policy_->Place(spec, servers.size());
  entry.servers.assign(servers.begin(), servers.end());
  entry.workers = workers;
  return &entry;
}

void TableCatalogue::Drop(const std::string& group) {
  if (group == kSharedGroup) return;
  tables_.erase(tables_.lower_bound(Key(group, "")), tables_.lower_bound(Key(group + '\0', "")));
  tables_of_group_.erase(group);
}

}  // namespace seraph
