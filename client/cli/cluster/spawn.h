// SPDX-License-Identifier: Apache-2.0
// fork and exec, with the rules that every child of the command follows.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_SPAWN_H_
#define SERAPH_CLIENT_CLI_CLUSTER_SPAWN_H_

#include <sys/types.h>

#include <string>
#include <vector>

#include "absl/status/statusor.h"

namespace seraph {

// A running child; the caller owns the descriptors, which are close-on-exec.
struct Spawned {
  pid_t pid;
  int pid_fd;  // Readable once the child has ended.
  int out;     // Non-blocking ends of its stdout and stderr.
  int err;
};

// Runs `program`: own process group, default signal handling and mask, stdin from /dev/null, no
// other descriptor of the parent, SIGKILL when the calling thread ends. NOT_FOUND no such program;
// INTERNAL it cannot be run.
absl::StatusOr<Spawned> Spawn(const std::string& program,
                              const std::vector<std::string>& arguments);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_SPAWN_H_
