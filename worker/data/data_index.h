// SPDX-License-Identifier: Apache-2.0
// What the index pass finds: the files of a data set and their rows, in blocks.
#ifndef SERAPH_WORKER_DATA_DATA_INDEX_H_
#define SERAPH_WORKER_DATA_DATA_INDEX_H_

#include <cstdint>
#include <string>
#include <vector>

#include "worker/data/row_format.h"

namespace seraph {

// A file that holds rows, and how to read it.
struct DataFile {
  std::string path;
  RowFormat::Options format;
  // A file of one number for each row of the data files that name it, in their order; empty: rows
  // weigh 1 or what a column of theirs says.
  std::string weights = {};
};

// Neighbouring rows of one file: the unit in which data is dealt. Lines from the first row to the
// last, those in between that hold no row included.
struct Block {
  uint32_t file = 0;    // Index into DataIndex::files.
  uint64_t offset = 0;  // In the inflated file.
  uint64_t bytes = 0;
  uint64_t first_line = 1;  // From 1.
  uint32_t rows = 0;        // Records for which IsRow holds.
  uint64_t weight_row = 0;  // Which number of the weights file is that of the first row.
};

// All rows of some files. A pure function of the files (worker/data/block_cutter.h).
struct DataIndex {
  std::vector<DataFile> files;
  std::vector<Block> blocks;  // File by file, in offset order.
  uint64_t rows = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_DATA_INDEX_H_
