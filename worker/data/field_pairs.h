// SPDX-License-Identifier: Apache-2.0
// Which rows a batch needs of a table that has one for each pair of a feature and a field, as
// field-aware models do.
#ifndef SERAPH_WORKER_DATA_FIELD_PAIRS_H_
#define SERAPH_WORKER_DATA_FIELD_PAIRS_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"
#include "common/hash.h"
#include "worker/data/batch.h"

namespace seraph {

// The key of the pair in its table, part of saved models: a hash, so that large field numbers cost
// nothing.
constexpr uint64_t FieldPairKey(uint64_t feature, uint32_t field) { return Mix64(feature, field); }

// The pairs of each row of a batch: the feature of entry i with the field of entry j, for all i and
// j that are not the same entry. A feature pays only for the fields that it meets. Keeps its memory
// from batch to batch. Not thread-safe.
class FieldPairs {
 public:
  // INVALID_ARGUMENT: the batch has features without fields, or a row of more than kMaxOfRow
  // features; RESOURCE_EXHAUSTED: rows of more than kMaxOfBatch features times fields. There are no
  // pairs then.
  absl::Status Build(const Batch& batch);
  // Work grows with the square of a row's features, memory with features times fields.
  static constexpr uint32_t kMaxOfRow = 1u << 15;
  static constexpr uint64_t kMaxOfBatch = uint64_t{1} << 28;

  // Keys of the table, each once, in order of first appearance.
  absl::Span<const uint64_t> keys() const { return keys_; }

  // Which of keys() is that of the feature of entry i with the field of entry j, another entry of
  // the same row.
  uint32_t Place(uint32_t i, uint32_t j) const { return places_[begin_[i] + field_[j]]; }

 private:
  void Clear();
  // Numbers the fields of entries first..last-1, those of a row, and returns how many there are.
  uint32_t NumberFields(const Batch& batch, uint32_t first, uint32_t last);
  absl::Status AddRow(const Batch& batch, uint32_t first, uint32_t last);

  struct Field {
    uint32_t number;
    uint32_t entries;  // Of the row.
  };

  std::vector<uint64_t> keys_;
  absl::flat_hash_map<uint64_t, uint32_t> place_of_;  // By key.
  std::vector<uint32_t> field_;                       // By entry: which of its row's fields.
  std::vector<uint32_t> begin_;   // By entry: where its places begin, one for each of the fields.
  std::vector<uint32_t> places_;  // Unused ones are that of keys_[0].
  // Of one row.
  std::vector<Field> fields_;
  absl::flat_hash_map<uint32_t, uint32_t> index_of_;  // By field number.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_FIELD_PAIRS_H_
