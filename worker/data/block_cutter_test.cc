// SPDX-License-Identifier: Apache-2.0
#include "worker/data/block_cutter.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;

// `rows` rows of `bytes` bytes, from the file's begin on.
void AddRows(uint64_t rows, uint64_t bytes, BlockCutter* cutter) {
  for (uint64_t r = 0; r < rows; ++r) cutter->AddRow(r + 1, r * bytes, (r + 1) * bytes);
}

std::vector<Block> Cut(size_t most_blocks, uint64_t rows, uint64_t bytes) {
  BlockCutter cutter(most_blocks);
  cutter.StartFile(0);
  AddRows(rows, bytes, &cutter);
  return cutter.Take();
}

// The blocks hold all rows, one behind the other.
void ExpectWhole(const std::vector<Block>& blocks, uint64_t rows, uint64_t bytes) {
  uint64_t seen = 0;
  for (const Block& block : blocks) {
    EXPECT_EQ(block.offset, seen * bytes);
    EXPECT_EQ(block.first_line, seen + 1);
    EXPECT_EQ(block.bytes, block.rows * bytes);
    seen += block.rows;
  }
  EXPECT_EQ(seen, rows);
}

TEST(BlockCutterTest, BlocksMayBeTakenAsTheyAreCut) {
  BlockCutter cutter;
  std::vector<Block> taken;
  for (const uint32_t file : {0, 1}) {
    cutter.StartFile(file);
    for (uint64_t r = 0; r < 3 * kBlockRows + 7; ++r) {
      cutter.AddRow(r + 1, r * 2, (r + 1) * 2);
      if (cutter.blocks() > 1) taken.push_back(cutter.TakeFirst());
    }
    ASSERT_EQ(cutter.blocks(), 1u);
    taken.push_back(cutter.TakeFirst());
    EXPECT_EQ(cutter.blocks(), 0u);
    ExpectWhole({taken.end() - 4, taken.end()}, 3 * kBlockRows + 7, 2);
  }
  EXPECT_EQ(taken.size(), 8u);
}

TEST(BlockCutterTest, BlocksAreCutByRowsAndByBytes) {
  EXPECT_THAT(Cut(10, kBlockRows + 1, 2),
              ElementsAre(Field(&Block::rows, kBlockRows), Field(&Block::rows, 1u)));
  EXPECT_THAT(
      Cut(10, 5, kBlockBytes / 2),
      ElementsAre(Field(&Block::rows, 2u), Field(&Block::rows, 2u), Field(&Block::rows, 1u)));
  EXPECT_EQ(Cut(10, 3, kBlockBytes + 1).size(), 3u);
}

TEST(BlockCutterTest, TheNumberOfBlocksStaysBounded) {
  constexpr size_t kMost = 10;
  for (const uint64_t bytes : {uint64_t{2}, uint64_t{1000}, kBlockBytes - 1, 3 * kBlockBytes}) {
    for (const uint64_t blocks : {9, 10, 11, 12, 40, 1000}) {
      const uint64_t rows = blocks * std::min<uint64_t>(kBlockRows, 1 + kBlockBytes / bytes);
      const std::vector<Block> cut = Cut(kMost, rows, bytes);
      EXPECT_LE(cut.size(), kMost + 1);
      ExpectWhole(cut, rows, bytes);
    }
  }
}

TEST(BlockCutterTest, BlocksGrowNoLargerThanTheyMust) {
  const std::vector<Block> cut = Cut(10, 20 * kBlockRows, 2);
  for (const Block& block : cut) EXPECT_EQ(block.rows, 2 * kBlockRows);
  EXPECT_EQ(cut.size(), 10u);
}

TEST(BlockCutterTest, BlocksOfDifferentFilesStayApart) {
  BlockCutter cutter(2);
  for (uint32_t file = 0; file < 50; ++file) {
    cutter.StartFile(file);
    AddRows(file + 1, 10, &cutter);
  }
  const std::vector<Block> blocks = cutter.Take();
  ASSERT_EQ(blocks.size(), 50u);
  for (uint32_t file = 0; file < 50; ++file) {
    EXPECT_EQ(blocks[file].file, file);
    EXPECT_EQ(blocks[file].rows, file + 1);
  }
}

TEST(BlockCutterTest, LinesWithoutRowsBetweenMergedBlocksCount) {
  BlockCutter cutter(1);
  cutter.StartFile(0);
  // A row every 100 lines of one byte.
  for (uint64_t r = 0; r < 4 * kBlockRows; ++r) cutter.AddRow(100 * r + 1, 100 * r, 100 * r + 1);
  const std::vector<Block> blocks = cutter.Take();
  ASSERT_EQ(blocks.size(), 2u);
  EXPECT_EQ(blocks[1].first_line, blocks[1].offset + 1);
  EXPECT_EQ(blocks[0].bytes, 100u * (blocks[0].rows - 1) + 1);
  EXPECT_EQ(blocks[0].rows + blocks[1].rows, 4 * kBlockRows);
}

}  // namespace
}  // namespace seraph
