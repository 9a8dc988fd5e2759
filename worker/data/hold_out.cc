// SPDX-License-Identifier: Apache-2.0
#include "worker/data/hold_out.h"

#include <cmath>

#include "common/hash.h"

namespace seraph {
namespace {

// Keeps the draw apart from others of the same seed (the order of an epoch, initial values).
constexpr uint64_t kPurpose = 0x76616c6964617465;  // "validate"

}  // namespace

HoldOut::HoldOut(const DataIndex& index, double share, uint64_t seed)
    : limit_(static_cast<uint64_t>(std::ldexp(share, 64))), seed_(Mix64(kPurpose, seed)) {
  first_rows_.reserve(index.blocks.size() + 1);
  first_rows_.push_back(0);
  for (const Block& block : index.blocks) first_rows_.push_back(first_rows_.back() + block.rows);
}

bool HoldOut::Has(uint32_t block, uint32_t row) const {
  return Mix64(seed_, first_rows_[block] + row) < limit_;
}

std::vector<uint32_t> HoldOut::RowsOf(uint32_t block) const {
  std::vector<uint32_t> rows;
  const auto count = static_cast<uint32_t>(first_rows_[block + 1] - first_rows_[block]);
  for (uint32_t row = 0; row < count; ++row) {
    if (Has(block, row)) rows.push_back(row);
  }
  return rows;
}

}  // namespace seraph
