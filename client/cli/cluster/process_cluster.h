// SPDX-License-Identifier: Apache-2.0
// A cluster of daemons as child processes on loopback, with ports that the system picks.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_PROCESS_CLUSTER_H_
#define SERAPH_CLIENT_CLI_CLUSTER_PROCESS_CLUSTER_H_

#include <functional>
#include <memory>
#include <optional>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "client/cli/cluster/cluster.h"
#include "client/cli/cluster/daemon_paths.h"
#include "common/clock.h"

namespace seraph {

struct ProcessClusterOptions {
  ClusterSize size;
  DaemonPaths daemons;
  Clock* clock = nullptr;                             // Required; outlives the cluster.
  absl::Duration start_deadline = absl::Seconds(20);  // For all of them to be ready.
  // A signal ends the start; see CommandContext.
  std::function<std::optional<int>()> interrupted = [] { return std::nullopt; };
};

// All daemons are ready when it returns. A child that ends unasked is reported to the scheduler at
// once (NodeExited) and shows in Health. The children end with the calling thread at the latest:
// call from one that lasts as long as the cluster. ABORTED names the first child that ended while
// they started, DEADLINE_EXCEEDED one that did not get ready; CANCELLED by a signal.
absl::StatusOr<std::unique_ptr<Cluster>> StartProcessCluster(const ProcessClusterOptions& options);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_PROCESS_CLUSTER_H_
