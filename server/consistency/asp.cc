// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/asp.h"

namespace seraph {
namespace {

class AspPolicy : public ConsistencyPolicy {
 public:
  bool MayPull(const GroupClock& group, int64_t clock) const override { return true; }
  std::vector<uint32_t> WaitsFor(const GroupClock& group, int64_t clock) const override {
    return {};
  }
  bool ParksPushes() const override { return false; }
};

}  // namespace

std::unique_ptr<ConsistencyPolicy> NewAspPolicy() { return std::make_unique<AspPolicy>(); }

}  // namespace seraph
