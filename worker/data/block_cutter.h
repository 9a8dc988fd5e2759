// SPDX-License-Identifier: Apache-2.0
// Cuts the rows of files into blocks whose number stays bounded, however much data there is: an
// index has to travel in one message and to fit into every worker's memory.
#ifndef SERAPH_WORKER_DATA_BLOCK_CUTTER_H_
#define SERAPH_WORKER_DATA_BLOCK_CUTTER_H_

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "worker/data/data_index.h"

namespace seraph {

// A block has at most this many rows and, but for a single longer row, bytes. Rows of less than a
// kilobyte are cut by their number, so the same rows make the same blocks in whatever format ...
inline constexpr uint32_t kBlockRows = 1024;
inline constexpr uint64_t kBlockBytes = 1 << 20;
// ... while there are at most this many blocks, and one more for each file. Each time they would be
// more, both limits double and neighbours of one file that now fit together become one.
inline constexpr size_t kMostBlocks = 100'000;

// Not thread-safe. What comes out is a pure function of the rows that went in, in their order.
class BlockCutter {
 public:
  explicit BlockCutter(size_t most_blocks = kMostBlocks) : most_blocks_(most_blocks) {}

  // The rows that follow are of this file, an index into DataIndex::files.
  void StartFile(uint32_t file);
  // A row on line `line_number` that begins and ends at these bytes of its file. REQUIRES: it lies
  // behind the rows of the file so far.
  void AddRow(uint64_t line_number, uint64_t begin, uint64_t end, uint64_t weight_row = 0);

  // The blocks, file by file in offset order. Ends the cutter's work.
  std::vector<Block> Take() { return std::move(blocks_); }

  // For whoever takes blocks as they are cut: so many are there, of which the last one may still
  // grow, until its file is at its end.
  size_t blocks() const { return blocks_.size(); }
  // The first of them, which is then not the cutter's any more. REQUIRES: there is one.
  Block TakeFirst();

 private:
  bool Fits(uint64_t bytes, uint64_t rows) const;
  // Doubles the limits and merges what fits together. False: they are as large as they get.
  bool Coarsen();

  const size_t most_blocks_;
  std::vector<Block> blocks_;
  size_t files_ = 0;   // Started so far.
  uint32_t file_ = 0;  // The latest.
  bool open_ = false;  // The last block is of that file.
  uint32_t scale_ = 1;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_BLOCK_CUTTER_H_
