// SPDX-License-Identifier: Apache-2.0
#include "server/consistency/asp.h"
#include "server/consistency/bsp.h"
#include "server/consistency/policy.h"
#include "server/consistency/ssp.h"

namespace seraph {

std::unique_ptr<ConsistencyPolicy> NewConsistencyPolicy(const SyncSpec& spec) {
  switch (spec.mode) {
    case SyncSpec::Mode::kBsp:
      return NewBspPolicy();
    case SyncSpec::Mode::kSsp:
      return NewSspPolicy(spec.staleness);
    case SyncSpec::Mode::kAsp:
      return NewAspPolicy();
  }
  return nullptr;
}

}  // namespace seraph
