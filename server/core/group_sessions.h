// SPDX-License-Identifier: Apache-2.0
// Which steps the ranks of a group may speak of: the check before a request reaches any executor.
#ifndef SERAPH_SERVER_CORE_GROUP_SESSIONS_H_
#define SERAPH_SERVER_CORE_GROUP_SESSIONS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "server/consistency/group_clock.h"
#include "server/core/requests.h"

namespace seraph {

// Not thread-safe: ServerCore guards it. Its clock is never behind an executor's, since a commit
// counts here before it is handed to them.
//
// A rank's first request says at which step it begins. From then on it pushes and commits at its
// own clock alone; an idle rank may also go on further ahead, with a push or a commit.
class GroupSessions {
 public:
  GroupSessions(std::string name, uint32_t workers)
      : name_(std::move(name)), clock_(workers), begun_(workers, false) {}

  // Each is OK with true when the rank moves to the request's clock first (executors must be told).
  // INVALID_ARGUMENT: no such rank, or a negative clock. FAILED_PRECONDITION: the rank is at
  // another clock, both named; nothing has changed.
  absl::StatusOr<bool> AdmitPull(const CoreSession& session);
  absl::StatusOr<bool> AdmitPush(const CoreSession& session);
  // Counts the commit; one that repeats an older one is fine and changes nothing. INVALID_ARGUMENT
  // for an idle commit in a group with a BSP table.
  absl::StatusOr<bool> AdmitCommit(const CoreCommit& commit);

  // How far a push at `clock` is ahead of the slowest rank; 0 when it is not.
  int64_t Staleness(int64_t clock) const;
  // Whether the step that all wait for lacks `rank` and no lower rank.
  bool IsLowestLacking(uint32_t rank) const;

  uint32_t workers() const { return clock_.workers(); }
  int64_t slowest() const { return clock_.slowest(); }
  void AddTable(const ServedTable& table);
  const std::vector<uint32_t>& tables() const { return tables_; }  // Ids.

 private:
  absl::Status CheckRank(const CoreSession& session) const;
  bool MoveIfBeginning(const CoreSession& session);
  absl::Status AtAnotherClock(const char* what, const CoreSession& session) const;

  const std::string name_;
  GroupClock clock_;
  std::vector<bool> begun_;  // [rank]: has sent a pull, push or commit.
  std::vector<uint32_t> tables_;
  bool has_bsp_ = false;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_GROUP_SESSIONS_H_
