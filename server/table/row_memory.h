// SPDX-License-Identifier: Apache-2.0
// Where the memory of rows comes from, and how much a row takes of it.
#ifndef SERAPH_SERVER_TABLE_ROW_MEMORY_H_
#define SERAPH_SERVER_TABLE_ROW_MEMORY_H_

#include <cstdint>

#include "common/table_spec.h"

namespace seraph {

// Asked by a store before it makes rows, and told when it has freed them. Used by the store's
// thread alone.
class RowMemory {
 public:
  virtual ~RowMemory() = default;
  // False, and nothing is taken, when there is no room.
  virtual bool Take(uint64_t bytes) = 0;
  virtual void GiveBack(uint64_t bytes) = 0;
  // For messages.
  virtual uint64_t used() const = 0;
  virtual uint64_t limit() const = 0;
};

// What one row counts, index included; bytes are counted, not measured, so that a limit refuses at
// the same row on every machine. Sparse: the row's place in a slab, and 32 bytes of index (a
// 16-byte entry with its control byte, in a table between 7/16 and 7/8 full). Dense: its floats;
// the bit that says whether it has been written is counted with the block.
uint64_t RowBytes(TableKind kind, uint32_t dim, uint32_t state_width);

// What a dense table's partition takes as a whole, with its first write; saturates.
uint64_t DenseBlockBytes(uint64_t rows, uint32_t dim, uint32_t state_width);

}  // namespace seraph

#endif  // SERAPH_SERVER_TABLE_ROW_MEMORY_H_
