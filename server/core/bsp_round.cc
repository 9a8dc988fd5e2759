// SPDX-License-Identifier: Apache-2.0
#include "server/core/bsp_round.h"

#include <algorithm>
#include <utility>

#include "common/status_macros.h"

namespace seraph {

void BspRound::Park(uint32_t rank, PartitionPush push) {
  std::vector<PartitionPush>& parked = parked_[rank];
  const auto after = std::upper_bound(
      parked.begin(), parked.end(), push.sequence,
      [](uint64_t sequence, const PartitionPush& other) { return sequence < other.sequence; });
  parked.insert(after, std::move(push));
}

void BspRound::FoldNextRank() {
  for (PartitionPush& push : std::exchange(parked_[next_rank_], {})) {
    switch (push.kind) {
      case CorePushKind::kGradient:
        gradient_.Add(push.keys, push.values);
        break;
      case CorePushKind::kAdd:
        adds_.Add(push.keys, push.values);
        break;
      case CorePushKind::kAssign:
        assigns_.Overwrite(push.keys, push.values);
        break;
    }
    share_.Merge(std::move(push.share));
  }
  share_.ShrinkTo(gradient_.bytes() + adds_.bytes() + assigns_.bytes());
  ++next_rank_;
}

absl::Status BspRound::Apply(const std::string& table, double divisor, float rate_scale,
                             PartitionStore* store) {
  gradient_.Divide(divisor);
  RETURN_IF_ERROR(CheckFinite(table, gradient_.keys(), gradient_.values()));
  RETURN_IF_ERROR(CheckFinite(table, adds_.keys(), adds_.values()));
  if (!gradient_.empty()) {
    RETURN_IF_ERROR(store->ApplyGradients(gradient_.keys(), gradient_.values(), rate_scale));
  }
  if (!adds_.empty()) RETURN_IF_ERROR(store->Add(adds_.keys(), adds_.values()));
  if (!assigns_.empty()) RETURN_IF_ERROR(store->Assign(assigns_.keys(), assigns_.values()));
  return absl::OkStatus();
}

}  // namespace seraph
