// SPDX-License-Identifier: Apache-2.0
// A parameter server without its wire: tables in executors, requests in, answers out.
#ifndef SERAPH_SERVER_CORE_SERVER_CORE_H_
#define SERAPH_SERVER_CORE_SERVER_CORE_H_

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/core/executor.h"
#include "server/core/memory_budget.h"
#include "server/core/park_meter.h"
#include "server/core/pull_task.h"
#include "server/core/push_task.h"
#include "server/core/requests.h"
#include "server/core/served_table.h"
#include "server/core/table_registry.h"

namespace seraph {

// Thread-safe. No call blocks; each calls its `done` exactly once, on the caller's thread or an
// executor's. Spans of a request stay valid until then (CorePush::memory longer).
//
// Errors of all calls: INVALID_ARGUMENT and FAILED_PRECONDITION as GroupSessions says them, ABORTED
// with the reason when the group was dropped, UNAVAILABLE once shut down.
class ServerCore {
 public:
  struct Options {
    Clock* clock = nullptr;                   // Required; outlives the core.
    int executors = 1;                        // Threads, at least 1.
    int64_t memory_bytes = int64_t{8} << 30;  // What MemoryBudget counts.
  };
  explicit ServerCore(const Options& options);
  ~ServerCore();  // Shuts down.
  ServerCore(const ServerCore&) = delete;
  ServerCore& operator=(const ServerCore&) = delete;

  // Idempotent. INVALID_ARGUMENT for a wrong optimizer, FAILED_PRECONDITION naming what differs
  // from an open table of this id or from its group, RESOURCE_EXHAUSTED when a dense table's rows
  // do not fit the memory that is left, UNIMPLEMENTED for a table of the group "shared".
  void OpenTable(const CoreTableRequest& request, CoreDone done);

  // The table of this id in this group, for the slices of a request. NOT_FOUND; FAILED_PRECONDITION
  // when it was routed by another map, both epochs named; ABORTED when the group was dropped.
  absl::StatusOr<std::shared_ptr<const ServedTable>> FindTable(const std::string& group,
                                                               uint32_t id,
                                                               uint64_t map_epoch) const;
  // By any epoch.
  absl::StatusOr<std::shared_ptr<const ServedTable>> FindTable(const std::string& group,
                                                               uint32_t id) const;

  // Parks until the tables' modes let it run; a pull without keys is answered at once. Past the
  // timeout DEADLINE_EXCEEDED names tables, clock and the ranks waited for. After an error `out`
  // may be written in part.
  void Pull(CorePull pull, CorePullDone done);

  // Applied, or parked for the fold, when answered. INVALID_ARGUMENT names table and key of a value
  // that is not finite; RESOURCE_EXHAUSTED, when other pushes hold the memory that this one needs,
  // and FAILED_PRECONDITION, when it does not fit beside the rows at all, table, bytes, limit, rank
  // and clock. The lowest rank that the step still lacks has a reserve, half of what
  // the rows leave of the memory, which no other rank's pushes take from it. Nothing has changed
  // after any of these. Other errors concern a partition each: rows of others may have been
  // applied.
  void Push(CorePush push, CoreDone done);

  // Answered when every executor has it. A repeated commit changes nothing. A group without tables
  // here has nothing to commit: OK.
  void Commit(CoreCommit commit, CoreDone done);

  // Forgets the group's tables; what waits in it is answered with ABORTED and `reason`, and so is
  // what comes later, until the group opens a table again. Idempotent.
  void DropGroup(const std::string& group, const std::string& reason, CoreDone done);

  void Stats(CoreStatsDone done);

  // One partition's rows out and in. REQUIRES: the partition lives here (ServedTable::executor).
  void ExportPartition(const ServedTable& table, uint32_t partition, CoreRowsDone done);
  void ImportPartition(const ServedTable& table, uint32_t partition,
                       std::shared_ptr<const CoreRows> rows, CoreDone done);

  // Answers what is parked with `reason`, then ends the threads. Idempotent; not from within
  // `done`.
  void Shutdown(const absl::Status& reason);

 private:
  // What one executor does of a request.
  using Runs = std::vector<std::vector<KeyRun>>;  // [executor]

  absl::StatusOr<int64_t> AdmitPull(const CorePull& pull) ABSL_LOCKS_EXCLUDED(mu_);
  absl::Status AdmitPush(PushTask* task) ABSL_LOCKS_EXCLUDED(mu_);
  // Posts the same work to every executor; returns how many have stopped.
  template <typename MakeWork>
  size_t PostToAll(const MakeWork& make);
  void TellMoved(const CoreSession& session) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  // Where memory is short for as many rows as the push has keys: asks for those that it makes.
  void CountRows(std::shared_ptr<PushTask> task, CoreDone done);
  void PostPush(std::shared_ptr<PushTask> task, CoreDone done);

  const Options options_;
  const std::shared_ptr<MemoryBudget> budget_;
  std::atomic<int64_t> parked_push_bytes_{0};
  std::atomic<int64_t> max_staleness_{0};
  ParkMeter park_meter_;
  // Held while work that every executor must see in one order is posted.
  mutable Mutex mu_;
  TableRegistry registry_ ABSL_GUARDED_BY(mu_);
  std::vector<std::unique_ptr<Executor>> executors_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_SERVER_CORE_H_
