// SPDX-License-Identifier: Apache-2.0
// What clients ask of a server, as plain structs over memory that somebody else owns.
#ifndef SERAPH_SERVER_CORE_REQUESTS_H_
#define SERAPH_SERVER_CORE_REQUESTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "absl/types/span.h"
#include "common/table_spec.h"
#include "server/core/served_table.h"

namespace seraph {

// Who asks, and at which of its steps. The rank's incarnation and the numbers that tell repeated
// pushes apart join here when pushes are retried (docs/CONSISTENCY.md, "What is not there yet").
struct CoreSession {
  std::string group;
  uint32_t rank = 0;
  int64_t clock = 0;       // The rank's step, from 0.
  absl::Duration timeout;  // How long a pull may be parked.
};

// Keys of one table. Keys of one partition stand together, in the order of `partitions`, which
// ascend; keys may repeat within a partition.
// REQUIRES: counts sum to keys.size(); each key belongs to its partition; dense keys exist.
struct CoreKeys {
  std::shared_ptr<const ServedTable> table;
  absl::Span<const uint32_t> partitions;
  absl::Span<const uint32_t> counts;  // Parallel to `partitions`.
  absl::Span<const uint64_t> keys;
};

struct CorePullSlice {
  CoreKeys keys;
  absl::Span<float> out;  // [keys, dim], in the keys' order.
};

struct CorePull {
  CoreSession session;
  // For scoring: outside any clock, never parked; sparse rows that are not there are zeros.
  bool read_only = false;
  std::vector<CorePullSlice> slices;
};

struct CorePulled {
  int64_t version = 0;  // Steps folded into what was read: BSP exactly the pull's clock.
};

enum class CorePushKind { kGradient, kAdd, kAssign };

struct CorePushSlice {
  CoreKeys keys;
  absl::Span<const float> values;        // [keys, dim]
  absl::Span<const uint64_t> sequences;  // Parallel to partitions, or empty: in order of arrival.
};

struct CorePush {
  CoreSession session;
  CorePushKind kind = CorePushKind::kGradient;
  std::vector<CorePushSlice> slices;
  // Keeps keys and values alive: parked pushes hold it beyond their acknowledgement.
  std::shared_ptr<const void> memory;
};

struct CoreCommit {
  CoreSession session;
  uint64_t rows = 0;  // Behind the rank's gradients of this step.
  bool idle = false;  // Nobody waits for the rank until it goes on.
};

struct CoreTableRequest {
  uint32_t id = 0;
  std::string group;
  uint32_t workers = 1;
  uint64_t map_epoch = 0;
  TableSpec spec;
  std::vector<bool> owned;  // [spec.partitions]: lives on this server.
};

// Rows of one partition as they go to files and come from them.
struct CoreRows {
  std::vector<uint64_t> keys;  // Ascending.
  std::vector<float> rows;     // [keys, dim + state width]
};

struct CoreStats {
  uint64_t rows = 0;
  uint64_t resident_bytes = 0;
  uint64_t parked_push_bytes = 0;
  int64_t max_staleness = 0;
  uint64_t parked_now = 0;  // Pulls.
  uint64_t parked_peak = 0;
  double parked_s = 0;  // Sum over pulls that were parked and are answered.
};

// Each is called exactly once, on the caller's thread or an executor's, and must not block.
using CoreDone = absl::AnyInvocable<void(absl::Status)>;
using CorePullDone = absl::AnyInvocable<void(absl::StatusOr<CorePulled>)>;
using CoreRowsDone = absl::AnyInvocable<void(absl::StatusOr<CoreRows>)>;
using CoreStatsDone = absl::AnyInvocable<void(absl::StatusOr<CoreStats>)>;

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_REQUESTS_H_
