// SPDX-License-Identifier: Apache-2.0
#include "scheduler/membership.h"

#include <algorithm>
#include <utility>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "scheduler/natural_order.h"

namespace seraph {
namespace {

constexpr size_t kLongestText = 256;  // Of names, addresses and reasons.
constexpr uint32_t kMostSlots = 256;

absl::Status CheckInfo(const NodeInfo& info) {
  const absl::string_view kind = NodeKindName(info.kind);
  if (info.name.empty()) {
    return absl::InvalidArgumentError(absl::StrCat("register a ", kind, ": it has no name"));
  }
  if (info.name.size() > kLongestText || info.address.size() > kLongestText) {
    return absl::InvalidArgumentError(absl::StrCat("register a ", kind, ": name or address of ",
                                                   std::max(info.name.size(), info.address.size()),
                                                   " bytes, at most ", kLongestText));
  }
  if (info.kind == NodeKind::kServer && info.address.empty()) {
    return absl::InvalidArgumentError(
        absl::StrCat("register ", info.name, ": a server needs an address"));
  }
  if (info.kind == NodeKind::kWorker && (info.slots < 1 || info.slots > kMostSlots)) {
    return absl::InvalidArgumentError(absl::StrCat("register ", info.name, ": ", info.slots,
                                                   " slots, a worker has 1..", kMostSlots));
  }
  return absl::OkStatus();
}

// What was seen, as what the node did.
std::string AsPredicate(absl::string_view reason) {
  if (reason.empty()) return "exited";
  const absl::string_view text = reason.substr(0, kLongestText);
  if (absl::StartsWith(text, "killed")) return absl::StrCat("was ", text);
  return std::string(text);
}

absl::Status Unknown(absl::string_view what) {
  return absl::NotFoundError(absl::StrCat(what, " is not known to this scheduler"));
}

}  // namespace

absl::string_view NodeKindName(NodeKind kind) {
  return kind == NodeKind::kServer ? "server" : "worker";
}

std::string Describe(const Node& node) {
  return absl::StrCat(node.info.name, " (node ", node.id, ")");
}

std::string DescribeDeath(const Node& node) {
  return absl::StrCat(Describe(node), " ", node.exit_reason);
}

absl::StatusOr<uint64_t> Membership::Register(NodeInfo info, absl::Time now) {
  if (absl::Status status = CheckInfo(info); !status.ok()) return status;
  for (const auto& [id, node] : nodes_) {
    if (node.alive && node.info.kind == info.kind && node.info.name == info.name) {
      return absl::AlreadyExistsError(absl::StrCat("register ", NodeKindName(info.kind), " \"",
                                                   info.name, "\": node ", id,
                                                   " has this name and is alive"));
    }
  }
  if (by_heard_.size() >= kMostLive) {
    return absl::ResourceExhaustedError(absl::StrCat("register ", NodeKindName(info.kind), " \"",
                                                     info.name, "\": the cluster has ",
                                                     by_heard_.size(), " live nodes"));
  }
  const uint64_t id = next_id_++;
  Node& node = nodes_[id];
  node.id = id;
  node.info = std::move(info);
  node.last_heard = now;
  by_heard_.emplace(now, id);
  return id;
}

absl::Status Membership::Heartbeat(uint64_t id, absl::Time now) {
  RETURN_IF_ERROR(FindLive(id).status());
  Node& node = nodes_.at(id);
  by_heard_.erase({node.last_heard, id});
  node.last_heard = std::max(node.last_heard, now);
  by_heard_.emplace(node.last_heard, id);
  return absl::OkStatus();
}

absl::StatusOr<const Node*> Membership::FindLive(uint64_t id) const {
  const Node* node = Find(id);
  if (node == nullptr) return Unknown(absl::StrCat("node ", id));
  if (!node->alive) {
    return absl::NotFoundError(absl::StrCat("declared dead: ", DescribeDeath(*node)));
  }
  return node;
}

absl::StatusOr<const Node*> Membership::Exited(uint64_t id, absl::string_view reason) {
  const auto found = nodes_.find(id);
  if (found == nodes_.end()) return Unknown(absl::StrCat("node ", id));
  if (!found->second.alive) return nullptr;
  Die(&found->second, AsPredicate(reason));
  return &found->second;
}

absl::StatusOr<const Node*> Membership::ExitedByName(NodeKind kind, absl::string_view name,
                                                     absl::string_view reason) {
  for (auto it = nodes_.rbegin(); it != nodes_.rend(); ++it) {
    if (it->second.info.kind == kind && it->second.info.name == name) {
      return Exited(it->first, reason);
    }
  }
  return Unknown(absl::StrCat(NodeKindName(kind), " \"", name.substr(0, kLongestText), "\""));
}

std::vector<const Node*> Membership::Expire(absl::Time now) {
  std::vector<uint64_t> late;
  for (const auto& [heard, id] : by_heard_) {
    if (now - heard <= lease_) break;
    late.push_back(id);
  }
  std::sort(late.begin(), late.end());
  std::vector<const Node*> died;
  for (const uint64_t id : late) {
    Node& node = nodes_.at(id);
    Die(&node, absl::StrCat("missed its lease of ", absl::ToDoubleSeconds(lease_), " s"));
    died.push_back(&node);
  }
  return died;
}

absl::Time Membership::next_expiry() const {
  if (by_heard_.empty()) return absl::InfiniteFuture();
  // Strictly later than the lease.
  return by_heard_.begin()->first + lease_ + absl::Nanoseconds(1);
}

const Node* Membership::Find(uint64_t id) const {
  const auto found = nodes_.find(id);
  return found == nodes_.end() ? nullptr : &found->second;
}

std::vector<const Node*> Membership::nodes() const {
  std::vector<const Node*> all;
  for (const auto& [id, node] : nodes_) all.push_back(&node);
  return all;
}

std::vector<const Node*> Membership::Live(NodeKind kind) const {
  std::vector<const Node*> live;
  for (const auto& [id, node] : nodes_) {
    if (node.alive && node.info.kind == kind) live.push_back(&node);
  }
  std::stable_sort(live.begin(), live.end(), [](const Node* a, const Node* b) {
    return NaturallyBefore(a->info.name, b->info.name);
  });
  return live;
}

void Membership::Die(Node* node, std::string reason) {
  node->alive = false;
  by_heard_.erase({node->last_heard, node->id});
  node->exit_reason = std::move(reason);
  dead_.push_back(node->id);
  // The one that died just now stays, so that the caller can name it.
  while (dead_.size() > kDeadKept) {
    nodes_.erase(dead_.front());
    dead_.pop_front();
  }
}

}  // namespace seraph
