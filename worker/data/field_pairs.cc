// SPDX-License-Identifier: Apache-2.0
#include "worker/data/field_pairs.h"

#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"

namespace seraph {

void FieldPairs::Clear() {
  keys_.clear();
  place_of_.clear();
  field_.clear();
  begin_.clear();
  places_.clear();
}

absl::Status FieldPairs::Build(const Batch& batch) {
  Clear();
  if (batch.fields.size() != batch.column.size()) {
    return WithHint(absl::InvalidArgumentError("the model needs fields, and rows have none"),
                    "use format libffm, or set data.fields");
  }
  field_.resize(batch.column.size());
  for (size_t r = 0; r < batch.rows(); ++r) {
    const absl::Status added = AddRow(batch, batch.row_begin[r], batch.row_begin[r + 1]);
    if (added.ok()) continue;
    Clear();
    return added;
  }
  return absl::OkStatus();
}

uint32_t FieldPairs::NumberFields(const Batch& batch, uint32_t first, uint32_t last) {
  fields_.clear();
  index_of_.clear();
  for (uint32_t e = first; e < last; ++e) {
    const auto [it, is_new] =
        index_of_.try_emplace(batch.fields[e], static_cast<uint32_t>(fields_.size()));
    if (is_new) fields_.push_back({batch.fields[e], 0});
    ++fields_[it->second].entries;
    field_[e] = it->second;
  }
  return static_cast<uint32_t>(fields_.size());
}

absl::Status FieldPairs::AddRow(const Batch& batch, uint32_t first, uint32_t last) {
  if (last - first > kMaxOfRow) {
    return absl::InvalidArgumentError(absl::StrCat("a row of ", last - first,
                                                   " features: models of pairs of fields take ",
                                                   kMaxOfRow, " at most"));
  }
  const uint32_t fields = NumberFields(batch, first, last);
  if (places_.size() + uint64_t{last - first} * fields > kMaxOfBatch) {
    return WithHint(absl::ResourceExhaustedError("the rows of a batch meet too many fields"),
                    "lower train.batch_size");
  }
  for (uint32_t e = first; e < last; ++e) {
    begin_.push_back(static_cast<uint32_t>(places_.size()));
    const uint64_t feature = batch.keys[batch.column[e]];
    for (uint32_t f = 0; f < fields; ++f) {
      if (f == field_[e] && fields_[f].entries == 1) {
        places_.push_back(0);  // Of itself alone: no other entry is in its field.
        continue;
      }
      const uint64_t key = FieldPairKey(feature, fields_[f].number);
      const auto [it, is_new] = place_of_.try_emplace(key, static_cast<uint32_t>(keys_.size()));
      if (is_new) keys_.push_back(key);
      places_.push_back(it->second);
    }
  }
  return absl::OkStatus();
}

}  // namespace seraph
