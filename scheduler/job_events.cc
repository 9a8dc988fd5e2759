// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_events.h"

#include <algorithm>

namespace seraph {

std::vector<JobEvent> EventLog::After(uint64_t after) const {
  const auto first =
      std::partition_point(events_.begin(), events_.end(),
                           [after](const JobEvent& event) { return event.number <= after; });
  return std::vector<JobEvent>(first, events_.end());
}

void EventLog::Thin() {
  if (++progress_ <= kProgressKept) return;
  const auto oldest = std::find_if(events_.begin(), events_.end(), [](const JobEvent& event) {
    return std::holds_alternative<JobProgressEvent>(event.kind);
  });
  events_.erase(oldest);
  --progress_;
}

}  // namespace seraph
