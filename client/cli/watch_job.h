// SPDX-License-Identifier: Apache-2.0
// Follows a job on a cluster of the command's own to its end.
#ifndef SERAPH_CLIENT_CLI_WATCH_JOB_H_
#define SERAPH_CLIENT_CLI_WATCH_JOB_H_

#include <cstdint>
#include <functional>
#include <optional>

#include "client/cli/cluster/cluster.h"
#include "client/cli/job_reporter.h"
#include "common/clock.h"
#include "scheduler/agent/agent.h"

namespace seraph {

struct WatchOptions {
  SchedulerAgent* agent = nullptr;  // All required; all outlive the call.
  Cluster* cluster = nullptr;
  Clock* clock = nullptr;
  JobReporter* reporter = nullptr;                  // Gets every event but the end.
  std::function<std::optional<int>()> interrupted;  // See CommandContext.
};

// Returns when the job has ended. A signal cancels it; after three seconds more the wait
// ends all the same. A part of the cluster that dies ends the job within five seconds: the end's
// status is then ABORTED with its name and exit. UNAVAILABLE a scheduler that runs but does not
// answer.
JobEnd WatchJobToEnd(const WatchOptions& options, uint64_t job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_WATCH_JOB_H_
