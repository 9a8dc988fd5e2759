// SPDX-License-Identifier: Apache-2.0
#include "worker/data/hold_out.h"

#include <set>

#include "gtest/gtest.h"

namespace seraph {
namespace {

DataIndex IndexOf(const std::vector<uint32_t>& rows_of_block) {
  DataIndex index;
  for (const uint32_t rows : rows_of_block) {
    index.blocks.push_back({.rows = rows});
    index.rows += rows;
  }
  return index;
}

// Places in the data of the rows held out.
std::set<uint64_t> Held(const DataIndex& index, double share, uint64_t seed) {
  const HoldOut hold_out(index, share, seed);
  std::set<uint64_t> held;
  uint64_t first = 0;
  for (uint32_t b = 0; b < index.blocks.size(); ++b) {
    for (const uint32_t row : hold_out.RowsOf(b)) {
      EXPECT_TRUE(hold_out.Has(b, row));
      held.insert(first + row);
    }
    first += index.blocks[b].rows;
  }
  return held;
}

TEST(HoldOutTest, TakesItsShareOfTheRows) {
  const DataIndex index = IndexOf({50000, 50000});
  EXPECT_NEAR(static_cast<double>(Held(index, 0.1, 7).size()), 10000, 300);
  EXPECT_NEAR(static_cast<double>(Held(index, 0.75, 7).size()), 75000, 500);
  EXPECT_TRUE(Held(index, 0, 7).empty());
}

TEST(HoldOutTest, BlocksDoNotShowInTheDraw) {
  EXPECT_EQ(Held(IndexOf({1000, 1, 2000}), 0.2, 3), Held(IndexOf({3001}), 0.2, 3));
}

TEST(HoldOutTest, AnotherSeedDrawsOtherRows) {
  EXPECT_NE(Held(IndexOf({1000}), 0.2, 3), Held(IndexOf({1000}), 0.2, 4));
}

}  // namespace
}  // namespace seraph
