// SPDX-License-Identifier: Apache-2.0
// A scheduler with servers and workers that a command started for itself.
#ifndef SERAPH_CLIENT_CLI_CLUSTER_CLUSTER_H_
#define SERAPH_CLIENT_CLI_CLUSTER_CLUSTER_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/time/time.h"
#include "transport/channel.h"

namespace seraph {

struct ClusterSize {
  int servers = 0;
  int workers = 0;
};

// Thread-safe but for Shutdown and destruction. Servers and workers are named "server 0", "worker
// 1".
class Cluster {
 public:
  virtual ~Cluster() = default;  // Ends all of it; nothing stays behind.

  virtual Network* network() = 0;
  virtual const std::string& scheduler() const = 0;  // Address.
  // Of the processes that its workers run in.
  virtual std::vector<int> process_ids() const = 0;

  // OK while every part runs. ABORTED with the name and end of the first one that did not: "worker
  // 1 was killed by signal 9".
  virtual absl::Status Health() const = 0;
  // Health(), once it is not OK or `deadline` has passed.
  virtual absl::Status AwaitTrouble(absl::Time deadline) = 0;

  // Asks workers, servers and scheduler, in this order, to end, each within `grace`. Idempotent.
  virtual void Shutdown(absl::Duration grace) = 0;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLUSTER_CLUSTER_H_
