// SPDX-License-Identifier: Apache-2.0
// Rows ready to compute on: sparse rows over deduplicated keys.
#ifndef SERAPH_WORKER_DATA_BATCH_H_
#define SERAPH_WORKER_DATA_BATCH_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"

namespace seraph {

// One parsed row, memory reused from row to row: the same row however its features were written.
// Without fields (`fields` is empty) keys are ascending and each stands once; with fields, which
// are parallel to `keys`, pairs of key and field are ascending and each stands once. Values of what
// was written more than once are summed; no value is zero.
struct Row {
  float label = 0;
  float weight = 1;  // Finite, at least 0.
  std::vector<uint64_t> keys;
  std::vector<float> values;
  std::vector<uint32_t> fields = {};
};

// Compressed sparse rows. Row r has entries row_begin[r] .. row_begin[r+1]-1; entry e is values[e]
// at keys[column[e]], in field fields[e].
struct Batch {
  std::vector<float> labels;
  std::vector<float> weights;  // By row.
  std::vector<uint32_t> row_begin = {0};
  std::vector<uint32_t> column;
  std::vector<float> values;
  std::vector<uint32_t> fields;  // By entry; empty when a row has features without fields.
  std::vector<uint64_t> keys;    // Each once, in order of first appearance.

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
