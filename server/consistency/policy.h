// SPDX-License-Identifier: Apache-2.0
// A consistency mode: when pulls may run and pushes apply (docs/CONSISTENCY.md). One file per mode,
// each joined by the registry and by the contract suite (tests/contract/consistency_contract.h) in
// a line.
#ifndef SERAPH_SERVER_CONSISTENCY_POLICY_H_
#define SERAPH_SERVER_CONSISTENCY_POLICY_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "common/table_spec.h"
#include "server/consistency/group_clock.h"

namespace seraph {

// Immutable and thread-safe.
class ConsistencyPolicy {
 public:
  virtual ~ConsistencyPolicy() = default;

  // Whether a pull at `clock` may run now. Once it may, further commits do not take it back.
  virtual bool MayPull(const GroupClock& group, int64_t clock) const = 0;

  // The ranks that a pull at `clock` waits for, ascending; empty exactly when it may run.
  virtual std::vector<uint32_t> WaitsFor(const GroupClock& group, int64_t clock) const = 0;

  // True: pushes park until every rank has committed their clock, and are folded together. False:
  // they apply on arrival.
  virtual bool ParksPushes() const = 0;
};

// By spec.mode. REQUIRES: a valid spec.
std::unique_ptr<ConsistencyPolicy> NewConsistencyPolicy(const SyncSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_CONSISTENCY_POLICY_H_
