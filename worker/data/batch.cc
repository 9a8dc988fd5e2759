// SPDX-License-Identifier: Apache-2.0
#include "worker/data/batch.h"

namespace seraph {

void BatchBuilder::Add(const Row& row) {
  const bool all_with_fields = batch_.fields.size() == batch_.column.size();
  batch_.labels.push_back(row.label);
  batch_.weights.push_back(row.weight);
  for (size_t i = 0; i < row.keys.size(); ++i) {
    const auto [it, is_new] =
        column_of_.try_emplace(row.keys[i], static_cast<uint32_t>(batch_.keys.size()));
    if (is_new) batch_.keys.push_back(row.keys[i]);
    batch_.column.push_back(it->second);
    batch_.values.push_back(row.values[i]);
  }
  if (all_with_fields && row.fields.size() == row.keys.size()) {
    batch_.fields.insert(batch_.fields.end(), row.fields.begin(), row.fields.end());
  } else {
    batch_.fields.clear();
  }
  batch_.row_begin.push_back(static_cast<uint32_t>(batch_.column.size()));
}

void BatchBuilder::Clear() {
  batch_.labels.clear();
  batch_.weights.clear();
  batch_.row_begin.assign(1, 0);
  batch_.column.clear();
  batch_.values.clear();
  batch_.fields.clear();
  batch_.keys.clear();
  column_of_.clear();
}

}  // namespace seraph
