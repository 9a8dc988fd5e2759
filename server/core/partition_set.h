// SPDX-License-Identifier: Apache-2.0
// What one executor owns: partitions, the clocks of their groups, and the pulls that wait.
#ifndef SERAPH_SERVER_CORE_PARTITION_SET_H_
#define SERAPH_SERVER_CORE_PARTITION_SET_H_

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "server/consistency/group_clock.h"
#include "server/core/memory_budget.h"
#include "server/core/partition.h"
#include "server/core/pull_task.h"
#include "server/core/requests.h"

namespace seraph {

// Used by one executor's thread alone, hence no locks. It has no clock and no thread of its own: it
// is told when commits come and what time it is. The core checks requests before they get here: who
// asks, at which step, for which table.
class PartitionSet {
 public:
  // `number` is the executor's, as in ServedTable::executor. `budget` outlives the set.
  PartitionSet(int32_t number, MemoryBudget* budget) : number_(number), budget_(budget) {}

  // Makes the table's partitions that this executor owns; repeating it changes nothing.
  void Open(const std::shared_ptr<const ServedTable>& table);

  // Forgets the group's tables and answers its parked pulls with `reason`.
  void Drop(const std::string& group, const absl::Status& reason);

  // Moves this executor's copy of the group's clock, folds, and runs the pulls that waited for it.
  // An unknown group has nothing to move.
  void Commit(const CoreCommit& commit);
  void MoveTo(const std::string& group, uint32_t rank, int64_t clock);

  // This executor's part of a pull: runs now or parks; calls task->Finish once.
  void Pull(std::shared_ptr<PullTask> task, std::vector<KeyRun> runs);

  // One partition's part of a push. ABORTED when the table was dropped meanwhile, else as
  // Partition::Push.
  absl::Status Push(const ServedTable& table, uint32_t partition, uint32_t rank, int64_t clock,
                    PartitionPush push);

  // What rows a push of these keys would make, in bytes; 0 where the table was dropped.
  int64_t NewRowBytes(uint32_t table, uint32_t partition, absl::Span<const uint64_t> keys) const;

  // NOT_FOUND when the partition does not live here, else as the partition's.
  absl::StatusOr<CoreRows> Export(uint32_t table, uint32_t partition) const;
  absl::Status Import(uint32_t table, uint32_t partition, const CoreRows& rows);

  // Answers the pulls whose deadline is `now` or before.
  void Expire(absl::Time now);
  absl::Time NextDeadline() const;  // Of the parked pulls; InfiniteFuture without any.
  void FailParked(const absl::Status& reason);

  uint64_t rows() const;
  uint64_t resident_bytes() const;
  // Nothing when it does not live here.
  const Partition* Find(uint32_t table, uint32_t partition) const;

 private:
  struct ParkedPull {
    std::shared_ptr<PullTask> task;
    std::vector<KeyRun> runs;
  };
  struct Group {
    explicit Group(uint32_t workers) : clock(workers) {}
    GroupClock clock;
    StepRows rows;
    std::vector<Partition*> partitions;  // In order of opening.
    std::vector<ParkedPull> parked;      // In order of arrival.
  };
  using PartitionKey = std::pair<uint32_t, uint32_t>;  // Table, partition.

  void Moved(Group* group);
  void Run(const Group& group, PullTask* task, const std::vector<KeyRun>& runs) const;
  absl::Status Read(const Group& group, const CorePull& request,
                    const std::vector<KeyRun>& runs) const;

  const int32_t number_;
  MemoryBudget* const budget_;
  absl::flat_hash_map<PartitionKey, std::unique_ptr<Partition>> partitions_;
  std::map<std::string, Group> groups_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PARTITION_SET_H_
