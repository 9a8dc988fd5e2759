// SPDX-License-Identifier: Apache-2.0
#include "server/core/group_sessions.h"

#include <algorithm>
#include <limits>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {

void GroupSessions::AddTable(const ServedTable& table) {
  tables_.push_back(table.id);
  has_bsp_ = has_bsp_ || table.policy->ParksPushes();
}

absl::Status GroupSessions::CheckRank(const CoreSession& session) const {
  if (session.rank >= workers()) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker ", session.rank, ": group ", name_, " has ", workers(), " workers"));
  }
  // The largest number is kept free, so that the clock after a step always exists.
  if (session.clock < 0 || session.clock == std::numeric_limits<int64_t>::max()) {
    return absl::InvalidArgumentError(
        absl::StrCat("worker ", session.rank, ": clock ", session.clock, " is out of range"));
  }
  return absl::OkStatus();
}

bool GroupSessions::MoveIfBeginning(const CoreSession& session) {
  if (begun_[session.rank]) return false;
  begun_[session.rank] = true;
  if (session.clock == clock_.clock(session.rank)) return false;
  clock_.MoveTo(session.rank, session.clock);
  return true;
}

absl::Status GroupSessions::AtAnotherClock(const char* what, const CoreSession& session) const {
  return absl::FailedPreconditionError(
      absl::StrCat(what, " at clock ", session.clock, " by worker ", session.rank, " of group ",
                   name_, ", which is at clock ", clock_.clock(session.rank)));
}

absl::StatusOr<bool> GroupSessions::AdmitPull(const CoreSession& session) {
  RETURN_IF_ERROR(CheckRank(session));
  return MoveIfBeginning(session);
}

absl::StatusOr<bool> GroupSessions::AdmitPush(const CoreSession& session) {
  RETURN_IF_ERROR(CheckRank(session));
  if (MoveIfBeginning(session)) return true;
  const int64_t clock = clock_.clock(session.rank);
  if (clock_.idle(session.rank) && session.clock >= clock) {
    clock_.MoveTo(session.rank, session.clock);
    return true;
  }
  if (session.clock != clock) return AtAnotherClock("push", session);
  return false;
}

absl::StatusOr<bool> GroupSessions::AdmitCommit(const CoreCommit& commit) {
  const CoreSession& session = commit.session;
  RETURN_IF_ERROR(CheckRank(session));
  if (commit.idle && has_bsp_) {
    return absl::InvalidArgumentError(absl::StrCat("worker ", session.rank, " of group ", name_,
                                                   " goes idle, but the group has a BSP table"));
  }
  const bool moves = MoveIfBeginning(session);
  const int64_t clock = clock_.clock(session.rank);
  if (session.clock > clock && !clock_.idle(session.rank)) {
    return AtAnotherClock("commit", session);
  }
  clock_.Commit(session.rank, session.clock, commit.idle);
  return moves;
}

int64_t GroupSessions::Staleness(int64_t clock) const {
  return std::max<int64_t>(0, clock - clock_.slowest());
}

bool GroupSessions::IsLowestLacking(uint32_t rank) const {
  const std::vector<uint32_t> lacking = clock_.Behind(clock_.slowest() + 1);
  return !lacking.empty() && lacking.front() == rank;
}

}  // namespace seraph
