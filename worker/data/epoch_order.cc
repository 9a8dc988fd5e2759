// SPDX-License-Identifier: Apache-2.0
#include "worker/data/epoch_order.h"

#include <algorithm>

#include "common/hash.h"
#include "common/random.h"

namespace seraph {
namespace {

// Keep the two uses of randomness apart.
constexpr uint64_t kBlockSalt = 0x626c6f636b73;  // "blocks"
constexpr uint64_t kRowSalt = 0x726f7773;        // "rows"

}  // namespace

EpochOrder::EpochOrder(const DataIndex& index, std::vector<uint32_t> blocks, uint64_t seed,
                       uint64_t epoch)
    : seed_(seed), epoch_(epoch) {
  std::sort(blocks.begin(), blocks.end());
  SplitMix64(Mix64(Mix64(seed, epoch), kBlockSalt)).Shuffle(absl::MakeSpan(blocks));
  uint64_t window_bytes = 0;
  for (const uint32_t number : blocks) {
    const Block& block = index.blocks[number];
    const bool full = windows_.empty() || window_bytes + block.bytes > kWindowBytes ||
                      windows_.back().rows + block.rows > kWindowRows;
    if (full) {
      windows_.emplace_back();
      windows_.back().first_row = rows_;
      window_bytes = 0;
    }
    windows_.back().blocks.push_back(number);
    windows_.back().rows_of_block.push_back(block.rows);
    windows_.back().rows += block.rows;
    window_bytes += block.bytes;
    rows_ += block.rows;
  }
}

std::vector<RowPlace> EpochOrder::RowsOf(size_t number) const {
  const Window& window = windows_[number];
  std::vector<RowPlace> places;
  places.reserve(window.rows);
  for (uint32_t slot = 0; slot < window.blocks.size(); ++slot) {
    for (uint32_t row = 0; row < window.rows_of_block[slot]; ++row) places.push_back({slot, row});
  }
  // The first block tells windows apart, also those of leases that hold one block each.
  const uint64_t seed = Mix64(Mix64(Mix64(seed_, epoch_), kRowSalt), window.blocks[0]);
  SplitMix64(seed).Shuffle(absl::MakeSpan(places));
  return places;
}

Slice SliceOf(uint64_t rows, uint32_t rank, uint32_t workers) {
  return {.begin = rows * rank / workers, .end = rows * (uint64_t{rank} + 1) / workers};
}

}  // namespace seraph
