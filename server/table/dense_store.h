// SPDX-License-Identifier: Apache-2.0
// The rows of one partition of a dense table: one plain array over the partition's block of row
// ids, and a bit for each row that has been written.
#ifndef SERAPH_SERVER_TABLE_DENSE_STORE_H_
#define SERAPH_SERVER_TABLE_DENSE_STORE_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/status/status.h"
#include "absl/types/span.h"
#include "server/table/partition_store.h"

namespace seraph {

// Thread rule and errors: PartitionStore. The first write allocates the whole block, and fails with
// RESOURCE_EXHAUSTED when the block fits neither RowMemory nor the machine; until then the store
// takes none. Export lists the rows that were ever written (a written row may equal its initial
// value); the others are a function of the seed and need no place in a file.
class DenseStore : public PartitionStore {
 public:
  explicit DenseStore(const PartitionStoreOptions& options);
  ~DenseStore() override;

  absl::Status Gather(absl::Span<const uint64_t> keys, absl::Span<float> out) const override;
  absl::Status GatherWritten(absl::Span<const uint64_t> keys,
                             absl::Span<float> out) const override {
    return Gather(keys, out);
  }
  absl::Status ApplyGradients(absl::Span<const uint64_t> keys, absl::Span<const float> gradients,
                              float rate_scale) override;
  absl::Status Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) override;
  absl::Status Assign(absl::Span<const uint64_t> keys, absl::Span<const float> values) override;
  void Export(std::vector<uint64_t>* keys, std::vector<float>* rows) const override;
  absl::Status Import(absl::Span<const uint64_t> keys, absl::Span<const float> rows) override;

  uint32_t state_width() const override { return state_width_; }
  uint64_t rows() const override { return touched_rows_; }
  uint64_t resident_bytes() const override { return block_ == nullptr ? 0 : BlockBytes(); }
  uint64_t BytesToAdd(absl::Span<const uint64_t> keys) const override {
    return keys.empty() || block_ != nullptr ? 0 : BlockBytes();
  }

 private:
  absl::Status CheckKeys(absl::Span<const uint64_t> keys) const;
  // Checks, allocates, marks the keys as touched and fills batch_. Any error comes before a change.
  absl::Status Touch(absl::Span<const uint64_t> keys, size_t floats);
  absl::Status Allocate();
  void ResetRows(float* block) const;  // All rows to their initial values.
  void Free();                         // The block, where there is one.
  uint64_t BlockBytes() const { return DenseBlockBytes(count_, spec_.dim, state_width_); }
  float* RowOf(uint64_t key) const { return block_.get() + (key - first_) * width_; }
  void Mark(uint64_t key);
  void WeightsChanged(float* row) const;

  const TableSpec spec_;
  const uint32_t partition_;
  const Optimizer* const optimizer_;
  RowMemory* const memory_;
  const uint32_t state_width_;
  const size_t width_;              // Floats per row, state included.
  uint64_t first_ = 0;              // The block is rows first_ .. first_ + count_ - 1.
  uint64_t count_ = 0;              // May be 0: fewer rows than partitions.
  std::unique_ptr<float[]> block_;  // [count_, width_]; null until the first write.
  std::vector<bool> touched_;       // [count_] once allocated.
  uint64_t touched_rows_ = 0;
  std::vector<float*> batch_;  // Scratch: rows of the call in progress, in the order of its keys.
};

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_DENSE_STORE_H_
