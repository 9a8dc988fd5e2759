// SPDX-License-Identifier: Apache-2.0
// Rows ready to compute on: sparse rows over deduplicated keys.
#ifndef SERAPH_WORKER_DATA_BATCH_H_
#define SERAPH_WORKER_DATA_BATCH_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace seraph {

// One parsed row, memory reused from row to row. `keys` ascending and each once (values of a
// repeated index are summed), no zero values: the same row however its features were written.
struct Row {
  float label = 0;
  std::vector<uint64_t> keys;
  std::vector<float> values;
};

// Compressed sparse rows. Row r has entries row_begin[r] .. row_begin[r+1]-1; entry e is values[e]
// at keys[column[e]].
struct Batch {
  std::vector<float> labels;
  std::vector<uint32_t> row_begin = {0};
  std::vector<uint32_t> column;
  std::vector<float> values;
  std::vector<uint64_t> keys;  // Each once, in order of first appearance.

  size_t rows() const { return labels.size(); }
};

// Builds batches, reusing memory. Not thread-safe.
class BatchBuilder {
 public:
  void Add(const Row& row);
  const Batch& batch() const { return batch_; }
  void Clear();

 private:
  Batch batch_;
  absl::flat_hash_map<uint64_t, uint32_t> column_of_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_BATCH_H_
