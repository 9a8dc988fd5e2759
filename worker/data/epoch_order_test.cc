// SPDX-License-Identifier: Apache-2.0
#include "worker/data/epoch_order.h"

#include <numeric>
#include <set>
#include <utility>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "worker/data/block_cutter.h"

namespace seraph {
namespace {

// `count` blocks of 1..1024 rows and `bytes` bytes each.
DataIndex IndexOf(uint32_t count, uint64_t bytes) {
  SplitMix64 random(1);
  DataIndex index;
  for (uint32_t i = 0; i < count; ++i) {
    const auto rows = static_cast<uint32_t>(1 + random.NextBelow(1024));
    index.blocks.push_back(
        {.file = 0, .offset = i * bytes, .bytes = bytes, .first_line = 1, .rows = rows});
    index.rows += rows;
  }
  return index;
}

std::vector<uint32_t> AllBlocks(const DataIndex& index) {
  std::vector<uint32_t> blocks(index.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  return blocks;
}

// A row of the index.
struct Place {
  uint32_t block;
  uint32_t row;
  bool operator==(const Place&) const = default;
};

std::vector<Place> Flatten(const EpochOrder& order) {
  std::vector<Place> places;
  for (size_t w = 0; w < order.windows().size(); ++w) {
    EXPECT_EQ(order.windows()[w].first_row, places.size());
    const std::vector<RowPlace> rows = order.RowsOf(w);
    EXPECT_EQ(rows.size(), order.windows()[w].rows);
    for (const RowPlace& place : rows)
      places.push_back({order.windows()[w].blocks[place.slot], place.row});
  }
  return places;
}

TEST(EpochOrderTest, EachRowStandsOnce) {
  const DataIndex index = IndexOf(300, kBlockBytes);
  const EpochOrder order(index, AllBlocks(index), 7, 0);
  EXPECT_EQ(order.rows(), index.rows);
  EXPECT_GT(order.windows().size(), 1u);
  std::set<std::pair<uint32_t, uint32_t>> seen;
  for (const Place& place : Flatten(order)) {
    ASSERT_LT(place.block, index.blocks.size());
    ASSERT_LT(place.row, index.blocks[place.block].rows);
    EXPECT_TRUE(seen.emplace(place.block, place.row).second);
  }
  EXPECT_EQ(seen.size(), index.rows);
}

TEST(EpochOrderTest, SeedAndEpochAloneDecide) {
  const DataIndex index = IndexOf(300, kBlockBytes);
  std::vector<uint32_t> shuffled = AllBlocks(index);
  SplitMix64(3).Shuffle(absl::MakeSpan(shuffled));
  const auto order = Flatten(EpochOrder(index, AllBlocks(index), 7, 2));
  EXPECT_EQ(order, Flatten(EpochOrder(index, shuffled, 7, 2)));
  EXPECT_NE(order, Flatten(EpochOrder(index, AllBlocks(index), 7, 3)));
  EXPECT_NE(order, Flatten(EpochOrder(index, AllBlocks(index), 8, 2)));
}

TEST(EpochOrderTest, TheOrderIsTheSameOnEveryMachine) {
  DataIndex index;
  for (uint32_t i = 0; i < 3; ++i) {
    index.blocks.push_back({.file = 0, .offset = 10 * i, .bytes = 10, .first_line = 1, .rows = 2});
  }
  std::vector<std::pair<uint32_t, uint32_t>> places;
  for (const Place& p : Flatten(EpochOrder(index, {0, 1, 2}, 7, 1))) {
    places.emplace_back(p.block, p.row);
  }
  using P = std::pair<uint32_t, uint32_t>;
  EXPECT_THAT(places, ::testing::ElementsAre(P(0, 0), P(2, 1), P(1, 1), P(2, 0), P(0, 1), P(1, 0)));
}

TEST(EpochOrderTest, WindowsHoldTheirBytesAndShuffleOverBlocks) {
  const DataIndex index = IndexOf(300, kBlockBytes);
  const EpochOrder order(index, AllBlocks(index), 7, 0);
  for (size_t w = 0; w < order.windows().size(); ++w) {
    uint64_t bytes = 0;
    for (const uint32_t block : order.windows()[w].blocks) bytes += index.blocks[block].bytes;
    EXPECT_LE(bytes, kWindowBytes);
  }
  // Neighbours come from different blocks nearly always.
  const std::vector<RowPlace> rows = order.RowsOf(0);
  size_t same = 0;
  for (size_t i = 1; i < rows.size(); ++i) same += rows[i].slot == rows[i - 1].slot;
  EXPECT_LT(same, rows.size() / 20);
}

TEST(EpochOrderTest, TheOrderOfShortRowsDoesNotDependOnTheirBytes) {
  const DataIndex shorter = IndexOf(1000, 1), longer = IndexOf(1000, 30000);
  const EpochOrder one(shorter, AllBlocks(shorter), 7, 0), other(longer, AllBlocks(longer), 7, 0);
  ASSERT_GT(one.windows().size(), 4u);
  ASSERT_EQ(one.windows().size(), other.windows().size());
  for (size_t w = 0; w < one.windows().size(); ++w) {
    EXPECT_LE(one.windows()[w].rows, kWindowRows);
    EXPECT_EQ(one.windows()[w].blocks, other.windows()[w].blocks);
  }
}

TEST(EpochOrderTest, ABlockLargerThanAWindowIsOne) {
  const DataIndex index = IndexOf(3, kWindowBytes + 1);
  EXPECT_EQ(EpochOrder(index, AllBlocks(index), 7, 0).windows().size(), 3u);
}

TEST(EpochOrderTest, SomeOfTheBlocksAreAnOrderOfThemAlone) {
  const DataIndex index = IndexOf(10, kBlockBytes);
  const EpochOrder order(index, {4, 9}, 7, 0);
  EXPECT_EQ(order.rows(), index.blocks[4].rows + index.blocks[9].rows);
  for (const Place& place : Flatten(order)) EXPECT_TRUE(place.block == 4 || place.block == 9);
  const EpochOrder none(index, {}, 7, 0);
  EXPECT_EQ(none.rows(), 0u);
  EXPECT_TRUE(none.windows().empty());
}

// Memory is that of the blocks asked for: a lease of one block out of very many costs little.
TEST(EpochOrderTest, AnOrderOfOneBlockHoldsNothingOfTheOthers) {
  const DataIndex index = IndexOf(100000, kBlockBytes);
  uint64_t rows = 0;
  for (uint32_t block = 0; block < index.blocks.size(); ++block) {
    const EpochOrder order(index, {block}, 7, 0);
    ASSERT_EQ(order.windows().size(), 1u);
    EXPECT_EQ(order.windows()[0].rows_of_block.size(), 1u);
    rows += order.rows();
  }
  EXPECT_EQ(rows, index.rows);  // Quadratic, this would take minutes.
}

TEST(SliceOfTest, SlicesTileTheBatch) {
  for (const uint64_t rows : {0, 1, 3, 7, 1024, 1000003}) {
    for (const uint32_t workers : {1u, 2u, 3u, 4u, 7u, 300u}) {
      uint64_t end = 0;
      for (uint32_t rank = 0; rank < workers; ++rank) {
        const Slice slice = SliceOf(rows, rank, workers);
        EXPECT_EQ(slice.begin, end);
        EXPECT_LE(slice.end - slice.begin, rows / workers + 1);
        end = slice.end;
      }
      EXPECT_EQ(end, rows);
    }
  }
}

}  // namespace
}  // namespace seraph
