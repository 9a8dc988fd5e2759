// SPDX-License-Identifier: Apache-2.0
// Where the daemons lie that belong to this command.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_DAEMON_PATHS_H_
#define SERAPH_CLIENT_CLI_CLUSTER_DAEMON_PATHS_H_

#include <string>

#include "absl/status/statusor.h"
#include "common/file_system.h"

namespace seraph {

struct DaemonPaths {
  std::string scheduler;
  std::string server;
  std::string worker;
};

// Looks beside `executable` (installed: seraph_scheduler, ... in one folder), then in the build's
// layout (client/cli/seraph, scheduler/seraph_scheduler, ...). INTERNAL names the one that is in
// neither place, with a hint.
absl::StatusOr<DaemonPaths> FindDaemons(const FileSystem& files, const std::string& executable);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_DAEMON_PATHS_H_
