// SPDX-License-Identifier: Apache-2.0
// Who belongs to the cluster: nodes register, keep a lease by heartbeats, and are dead when they
// say so, when somebody saw them exit, or when their lease has run out.
#ifndef SERAPH_SCHEDULER_MEMBERSHIP_H_
#define SERAPH_SCHEDULER_MEMBERSHIP_H_

#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"

namespace seraph {

// What a node does in the cluster.
enum class NodeKind { kServer, kWorker };

absl::string_view NodeKindName(NodeKind kind);  // "server", "worker".

// What a node says about itself.
struct NodeInfo {
  NodeKind kind = NodeKind::kServer;
  std::string name;     // Unique among live nodes of its kind.
  std::string address;  // Servers.
  uint32_t slots = 0;   // Workers.
};

// A node and what the scheduler knows of its life.
struct Node {
  uint64_t id = 0;
  NodeInfo info;
  bool alive = true;
  std::string exit_reason;  // Of a dead node, as what it did: "was killed by signal 9", "left".
  absl::Time last_heard;
};

// "worker 1 (node 4)".
std::string Describe(const Node& node);
// "worker 1 (node 4) was killed by signal 9". REQUIRES: the node is dead.
std::string DescribeDeath(const Node& node);

// Not thread-safe. Pure: time comes in as an argument and never goes back. What every request asks
// for (heartbeats, expiry) takes logarithmic time in the number of nodes.
class Membership {
 public:
  explicit Membership(absl::Duration lease) : lease_(lease) {}

  absl::Duration lease() const { return lease_; }

  // The node's id: from 1, never reused. INVALID_ARGUMENT for a worker without slots, a server
  // without address, a name that is empty or too long; ALREADY_EXISTS for a name of a live node of
  // that kind; RESOURCE_EXHAUSTED when kMostLive nodes are alive.
  absl::StatusOr<uint64_t> Register(NodeInfo info, absl::Time now);

  // NOT_FOUND: unknown or dead, with the reason.
  absl::Status Heartbeat(uint64_t id, absl::Time now);

  // `reason` is what was seen: "killed by signal 9", "left". Returns the node that died by this, or
  // null when it was dead already. NOT_FOUND for a node that never was.
  absl::StatusOr<const Node*> Exited(uint64_t id, absl::string_view reason);
  // The same by kind and name, of the latest node so called.
  absl::StatusOr<const Node*> ExitedByName(NodeKind kind, absl::string_view name,
                                           absl::string_view reason);

  // Declares dead who was not heard for longer than the lease; returns them by id.
  std::vector<const Node*> Expire(absl::Time now);
  // When Expire has something to do next; InfiniteFuture without live nodes.
  absl::Time next_expiry() const;

  // Null when there never was such a node. Valid until the node is forgotten (see kDeadKept).
  const Node* Find(uint64_t id) const;
  // NOT_FOUND as of Heartbeat.
  absl::StatusOr<const Node*> FindLive(uint64_t id) const;
  // By id: live ones, and of the dead the latest kDeadKept.
  std::vector<const Node*> nodes() const;
  // In the natural order of names, by id among equal ones.
  std::vector<const Node*> Live(NodeKind kind) const;

  static constexpr size_t kDeadKept = 1000;
  static constexpr size_t kMostLive = 10000;

 private:
  void Die(Node* node, std::string reason);

  const absl::Duration lease_;
  uint64_t next_id_ = 1;
  std::map<uint64_t, Node> nodes_;
  std::set<std::pair<absl::Time, uint64_t>> by_heard_;  // Live nodes, the longest silent first.
  std::deque<uint64_t> dead_;                           // In the order of death.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_MEMBERSHIP_H_
