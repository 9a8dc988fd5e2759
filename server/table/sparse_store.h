// SPDX-License-Identifier: Apache-2.0
// The rows of one partition of a sparse table: an index from key to row, rows in slabs. Holds what
// has been written and nothing else.
#ifndef SERAPH_SERVER_TABLE_SPARSE_STORE_H_
#define SERAPH_SERVER_TABLE_SPARSE_STORE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/table/partition_store.h"
#include "server/table/row_slabs.h"

namespace seraph {

// Thread rule and errors: PartitionStore. Each row counts RowBytes.
class SparseStore : public PartitionStore {
 public:
  explicit SparseStore(const PartitionStoreOptions& options);
  ~SparseStore() override;

  absl::Status Gather(absl::Span<const uint64_t> keys, absl::Span<float> out) const override;
  absl::Status GatherWritten(absl::Span<const uint64_t> keys, absl::Span<float> out) const override;
  absl::Status ApplyGradients(absl::Span<const uint64_t> keys, absl::Span<const float> gradients,
                              float rate_scale) override;
  absl::Status Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) override;
  absl::Status Assign(absl::Span<const uint64_t> keys, absl::Span<const float> values) override;
  void Export(std::vector<uint64_t>* keys, std::vector<float>* rows) const override;
  absl::Status Import(absl::Span<const uint64_t> keys, absl::Span<const float> rows) override;

  uint32_t state_width() const override { return state_width_; }
  uint64_t rows() const override { return index_.size(); }
  uint64_t resident_bytes() const override { return index_.size() * row_bytes_; }
  uint64_t BytesToAdd(absl::Span<const uint64_t> keys) const override;

 private:
  // Copies rows; `fill` gives the weights of a key that has none.
  template <typename Fill>
  absl::Status Copy(absl::Span<const uint64_t> keys, absl::Span<float> out, const Fill& fill) const;
  // Fills batch_ with the row of each key, creating missing ones; RESOURCE_EXHAUSTED before any
  // change.
  absl::Status FindOrCreate(absl::Span<const uint64_t> keys);
  float* Create(uint64_t key);
  void WeightsChanged(float* row) const;

  const TableSpec spec_;
  const uint32_t partition_;
  const Optimizer* const optimizer_;
  RowMemory* const memory_;
  const uint32_t state_width_;
  std::unique_ptr<RowSlabs> slabs_;
  const uint64_t row_bytes_;
  absl::flat_hash_map<uint64_t, float*> index_;
  std::vector<float*> batch_;  // Scratch: rows of the call in progress, in the order of its keys.
};

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_SPARSE_STORE_H_
