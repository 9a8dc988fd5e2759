// SPDX-License-Identifier: Apache-2.0
// The rows of one partition of one table: weights and optimizer state side by side. Knows nothing
// of consistency, wire or other partitions. Two kinds, sparse and dense, pass one contract suite
// (tests/contract/partition_store_contract.h).
#ifndef SERAPH_SERVER_TABLE_PARTITION_STORE_H_
#define SERAPH_SERVER_TABLE_PARTITION_STORE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"
#include "server/table/row_memory.h"

namespace seraph {

// Owned by one executor thread: not thread-safe. Keys are asked in batches, any order. Keys belong
// to this partition (the caller routed them); a dense key outside the table is INVALID_ARGUMENT
// with key and rows, and nothing changes.
//
// A row that no write has touched has its initial value, a pure function of (seed, key), and takes
// no memory in a sparse store. Every key value of u64 is a key like any other.
class PartitionStore {
 public:
  virtual ~PartitionStore() = default;

  // Weights into `out` [keys.size(), dim], repeats filled each. Creates nothing.
  virtual absl::Status Gather(absl::Span<const uint64_t> keys, absl::Span<float> out) const = 0;
  // The same for scoring: zeros for a row of a sparse table that no write has touched. Rows of a
  // dense table are all there.
  virtual absl::Status GatherWritten(absl::Span<const uint64_t> keys,
                                     absl::Span<float> out) const = 0;

  // Writes create missing rows. Keys of one call are distinct (server/core sums repeats first);
  // values [keys.size(), dim]. RESOURCE_EXHAUSTED when there is no memory for new rows; on any
  // error no row has changed. `rate_scale` as in Optimizer::Apply.
  virtual absl::Status ApplyGradients(absl::Span<const uint64_t> keys,
                                      absl::Span<const float> gradients, float rate_scale) = 0;
  virtual absl::Status Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) = 0;
  virtual absl::Status Assign(absl::Span<const uint64_t> keys, absl::Span<const float> values) = 0;

  // Rows that exist, ascending by key: keys and whole rows [keys.size(), dim + state width], for
  // files.
  virtual void Export(std::vector<uint64_t>* keys, std::vector<float>* rows) const = 0;
  // Replaces everything by these rows (keys ascending and distinct, rows [keys.size(), dim + state
  // width]).
  virtual absl::Status Import(absl::Span<const uint64_t> keys, absl::Span<const float> rows) = 0;

  virtual uint32_t state_width() const = 0;
  virtual uint64_t rows() const = 0;            // That exist. Dense: those ever written.
  virtual uint64_t resident_bytes() const = 0;  // Of rows and index.
  // What a write of these keys would add to that; a key that stands twice may count twice.
  virtual uint64_t BytesToAdd(absl::Span<const uint64_t> keys) const = 0;
};

struct PartitionStoreOptions {
  TableSpec spec;
  uint32_t partition = 0;
  const Optimizer* optimizer = nullptr;  // Outlives the store.
  // Outlives the store, which gives back all that it took. Null: as much as the machine has.
  RowMemory* memory = nullptr;
};

// By spec.kind. REQUIRES: the spec is valid.
std::unique_ptr<PartitionStore> NewPartitionStore(const PartitionStoreOptions& options);

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_PARTITION_STORE_H_
