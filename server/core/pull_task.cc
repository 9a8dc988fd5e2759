// SPDX-License-Identifier: Apache-2.0
#include "server/core/pull_task.h"

#include <algorithm>
#include <set>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace seraph {

PullTask::PullTask(CorePull request, size_t parts, const Clock* clock, ParkMeter* meter,
                   CorePullDone done)
    : request_(std::move(request)),
      clock_(clock),
      meter_(meter),
      deadline_(clock->Now() + request_.session.timeout),
      done_(std::move(done)),
      join_(parts, [this](absl::Status status) { Done(std::move(status)); }) {}

bool PullTask::MayRun(const GroupClock& group) const {
  return request_.read_only ||
         std::all_of(request_.slices.begin(), request_.slices.end(),
                     [&](const CorePullSlice& slice) {
                       return slice.keys.table->policy->MayPull(group, request_.session.clock);
                     });
}

void PullTask::NotePark() {
  MutexLock lock(&mu_);
  if (parked_) return;
  parked_ = true;
  parked_since_ = clock_->Now();
  meter_->Begin();
}

absl::Status PullTask::WaitedTooLong(const GroupClock& group) const {
  std::vector<std::string> tables;
  std::set<uint32_t> ranks;
  for (const CorePullSlice& slice : request_.slices) {
    const ServedTable& table = *slice.keys.table;
    const std::vector<uint32_t> waits = table.policy->WaitsFor(group, request_.session.clock);
    if (waits.empty()) continue;
    ranks.insert(waits.begin(), waits.end());
    if (std::find(tables.begin(), tables.end(), table.spec.name) == tables.end()) {
      tables.push_back(table.spec.name);
    }
  }
  std::vector<std::string> workers;
  for (const uint32_t rank : ranks) {
    workers.push_back(absl::StrCat(rank, " (at clock ", group.clock(rank), ")"));
  }
  return absl::DeadlineExceededError(absl::StrFormat(
      "pull of %s at clock %d waited %g s for worker%s %s", absl::StrJoin(tables, ", "),
      request_.session.clock, absl::ToDoubleSeconds(request_.session.timeout),
      workers.size() == 1 ? "" : "s", absl::StrJoin(workers, ", ")));
}

void PullTask::NoteVersion(int64_t version) {
  MutexLock lock(&mu_);
  version_ = std::min(version_, version);
}

void PullTask::Done(absl::Status status) {
  CorePulled pulled;
  {
    MutexLock lock(&mu_);
    if (parked_) meter_->End(clock_->Now() - parked_since_);
    pulled.version = version_;
  }
  if (status.ok()) {
    done_(pulled);
  } else {
    done_(std::move(status));
  }
}

}  // namespace seraph
