// SPDX-License-Identifier: Apache-2.0
// Which tables a server has open, for which groups.
#ifndef SERAPH_SERVER_CORE_TABLE_REGISTRY_H_
#define SERAPH_SERVER_CORE_TABLE_REGISTRY_H_

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/core/group_sessions.h"
#include "server/core/memory_budget.h"
#include "server/core/requests.h"
#include "server/core/served_table.h"

namespace seraph {

// Not thread-safe: ServerCore guards it.
class TableRegistry {
 public:
  // Partitions are dealt to so many executors. Dense tables take their memory from `budget`, and
  // give it back when the last user of the table has gone.
  TableRegistry(int executors, std::shared_ptr<MemoryBudget> budget)
      : executors_(executors), budget_(std::move(budget)) {}

  // The table, made or as it is open already. Errors: ServerCore::OpenTable.
  absl::StatusOr<std::shared_ptr<const ServedTable>> Open(const CoreTableRequest& request);

  // NOT_FOUND, or ABORTED with the reason when the group was dropped.
  absl::StatusOr<std::shared_ptr<const ServedTable>> Find(const std::string& group,
                                                          uint32_t id) const;
  // The same for a group of open tables. Valid until it is dropped.
  absl::StatusOr<GroupSessions*> FindGroup(const std::string& group);

  // Forgets the group and its tables; the reason is kept for latecomers (of the last 64 groups).
  void Drop(const std::string& group, const std::string& reason);

 private:
  struct DroppedGroup {
    std::string name;
    std::string reason;
  };

  absl::Status CheckDropped(const std::string& group) const;
  absl::StatusOr<std::shared_ptr<const ServedTable>> NewTable(const CoreTableRequest& request);
  // Of a dense table, for all partitions owned here.
  absl::Status TakeDenseRows(const CoreTableRequest& request, uint64_t owned, ServedTable* table);

  const int executors_;
  const std::shared_ptr<MemoryBudget> budget_;
  std::map<uint32_t, std::shared_ptr<const ServedTable>> tables_;
  std::map<std::string, GroupSessions> groups_;
  std::deque<DroppedGroup> dropped_;  // The latest last.
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_TABLE_REGISTRY_H_
