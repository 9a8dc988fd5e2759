// SPDX-License-Identifier: Apache-2.0
// A pull on its way through the executors.
#ifndef SERAPH_SERVER_CORE_PULL_TASK_H_
#define SERAPH_SERVER_CORE_PULL_TASK_H_

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/consistency/group_clock.h"
#include "server/core/join.h"
#include "server/core/park_meter.h"
#include "server/core/requests.h"

namespace seraph {

// A run of keys of one partition within a slice.
struct KeyRun {
  uint32_t slice = 0;
  uint32_t partition = 0;
  size_t first = 0;  // Index into the slice's keys.
  size_t count = 0;
  uint64_t sequence = 0;  // Pushes only.
};

// Shared by its parts, one an executor that owns some of its keys; each part writes its own places
// of the answer, then calls Finish once. Thread-safe.
class PullTask {
 public:
  // `clock` and `meter` outlive the task.
  PullTask(CorePull request, size_t parts, const Clock* clock, ParkMeter* meter, CorePullDone done);

  const CorePull& request() const { return request_; }
  const std::string& group() const { return request_.session.group; }
  absl::Time deadline() const { return deadline_; }
  bool failed() const { return join_.failed(); }

  // Whether every table of the request lets it run. The request's tables are of one group.
  bool MayRun(const GroupClock& group) const;
  // A part waits; the first that says so starts the time that the pull is parked.
  void NotePark();
  // DEADLINE_EXCEEDED with tables, clock and the ranks waited for.
  absl::Status WaitedTooLong(const GroupClock& group) const;

  void NoteVersion(int64_t version);
  void Finish(const absl::Status& part) { join_.Finish(part); }

 private:
  void Done(absl::Status status);

  const CorePull request_;
  const Clock* const clock_;
  ParkMeter* const meter_;
  const absl::Time deadline_;
  CorePullDone done_;
  Mutex mu_;
  bool parked_ ABSL_GUARDED_BY(mu_) = false;
  absl::Time parked_since_ ABSL_GUARDED_BY(mu_);
  int64_t version_ ABSL_GUARDED_BY(mu_) = std::numeric_limits<int64_t>::max();
  Join join_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PULL_TASK_H_
