// SPDX-License-Identifier: Apache-2.0
// A cluster within this process, joined by the in-process channel: no sockets.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_LOCAL_CLUSTER_H_
#define SERAPH_CLIENT_CLI_CLUSTER_LOCAL_CLUSTER_H_

#include <memory>

#include "absl/status/statusor.h"
#include "client/cli/cluster/cluster.h"
#include "common/clock.h"
#include "common/file_system.h"

namespace seraph {

struct LocalClusterOptions {
  ClusterSize size;
  int executors = 1;                  // Threads of each server that own partitions, 1..256.
  Clock* clock = nullptr;             // Required; outlives the cluster, like the file system.
  FileSystem* file_system = nullptr;  // Required.
};

// Its servers are registered and its workers ask for work when it returns. Errors name the part
// that did not start.
absl::StatusOr<std::unique_ptr<Cluster>> StartLocalCluster(const LocalClusterOptions& options);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_LOCAL_CLUSTER_H_
