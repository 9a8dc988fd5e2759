// SPDX-License-Identifier: Apache-2.0
// The tables of the cluster: who asked for them, what they are, and which server owns which
// partition.
#ifndef SERAPH_SCHEDULER_TABLE_CATALOGUE_H_
#define SERAPH_SCHEDULER_TABLE_CATALOGUE_H_

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/table_spec.h"
#include "scheduler/placement.h"

namespace seraph {

// A server and where it can be reached.
struct ServerRef {
  uint64_t node = 0;
  std::string address;
};

// A table of a group, and where its partitions lie.
struct TableEntry {
  uint32_t id = 0;    // From 1, never reused.
  std::string group;  // kSharedGroup for "shared/NAME".
  TableSpec spec;
  uint64_t map_epoch = 1;
  std::vector<uint32_t> owner;  // [spec.partitions]: index into servers.
  std::vector<ServerRef> servers;
  uint32_t workers = 0;  // Ranks in the group.
};

inline constexpr char kSharedGroup[] = "shared";

// Not thread-safe; knows no time.
class TableCatalogue {
 public:
  // `policy` outlives the catalogue.
  explicit TableCatalogue(const PlacementPolicy* policy) : policy_(policy) {}

  // The table of that name in that group, placed over `servers` when it is new. INVALID_ARGUMENT
  // for an impossible spec, group or number of workers; FAILED_PRECONDITION naming what differs
  // from the existing one; UNAVAILABLE when it is new and there are no servers; RESOURCE_EXHAUSTED
  // when the group has kMostTables, or it is new and there are kMostGroups. The pointer is valid
  // until the group is dropped.
  absl::StatusOr<const TableEntry*> OpenOrCreate(const std::string& group, const TableSpec& spec,
                                                 uint32_t workers,
                                                 absl::Span<const ServerRef> servers);

  // Forgets the group's tables; shared ones stay.
  void Drop(const std::string& group);

  size_t size() const { return tables_.size(); }

  static constexpr size_t kMostTables = 10000;  // Of one group.
  static constexpr size_t kMostGroups = 10000;  // That have tables.

 private:
  using Key = std::pair<std::string, std::string>;  // Group, name.

  const PlacementPolicy* const policy_;
  uint32_t next_id_ = 1;
  std::map<Key, TableEntry> tables_;
  std::map<std::string, size_t> tables_of_group_;
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_TABLE_CATALOGUE_H_
