// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/bsp.h"

namespace seraph {
namespace {

class BspPolicy : public ConsistencyPolicy {
 public:
  bool MayPull(const GroupClock& group, int64_t clock) const override {
    return group.Behind(clock).empty();
  }
  std::vector<uint32_t> WaitsFor(const GroupClock& group, int64_t clock) const override {
    return group.Behind(clock);
  }
  bool ParksPushes() const override { return true; }
};

}  // namespace

std::unique_ptr<ConsistencyPolicy> NewBspPolicy() { return std::make_unique<BspPolicy>(); }

}  // namespace seraph
