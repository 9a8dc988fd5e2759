// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/ssp.h"

namespace seraph {
namespace {

class SspPolicy : public ConsistencyPolicy {
 public:
  explicit SspPolicy(int64_t staleness) : staleness_(staleness) {}

  bool MayPull(const GroupClock& group, int64_t clock) const override {
    return group.Behind(Bound(clock)).empty();
  }
  std::vector<uint32_t> WaitsFor(const GroupClock& group, int64_t clock) const override {
    return group.Behind(Bound(clock));
  }
  bool ParksPushes() const override { return false; }

 private:
  // The clock that every rank must have reached; both terms may be any non-negative number.
  int64_t Bound(int64_t clock) const { return clock <= staleness_ ? 0 : clock - staleness_; }

  const int64_t staleness_;
};

}  // namespace

std::unique_ptr<ConsistencyPolicy> NewSspPolicy(int64_t staleness) {
  return std::make_unique<SspPolicy>(staleness);
}

}  // namespace seraph
