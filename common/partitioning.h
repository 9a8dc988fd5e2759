// SPDX-License-Identifier: Apache-2.0
// Which partition a row lives in (DESIGN of tables in docs/ARCHITECTURE.md): a pure function of the
// table's shape, known to clients, servers and files alike.
#ifndef SERAPH_COMMON_PARTITIONING_H_
#define SERAPH_COMMON_PARTITIONING_H_

#include <cstdint>

#include "common/hash.h"
#include "common/table_spec.h"

namespace seraph {

// Sparse: the high bits of the mixed key. Dense: blocks of ceil(rows / partitions) neighbouring
// rows. REQUIRES: spec passed ValidateTableSpec; a dense key is below spec.rows.
inline uint32_t PartitionOf(const TableSpec& spec, uint64_t key) {
  if (spec.kind == TableKind::kDense) {
    // Rounded up without a sum that could overflow.
    const uint64_t block = spec.rows / spec.partitions + (spec.rows % spec.partitions != 0);
    return static_cast<uint32_t>(key / block);
  }
  // partitions is a power of two, so the product's high word is the hash's high bits; 1 partition
  // gives 0.
  return static_cast<uint32_t>(
      (static_cast<unsigned __int128>(Mix64(key ^ 0x5e7a9b)) * spec.partitions) >> 64);
}

}  // namespace seraph

#endif  // SERAPH_COMMON_PARTITIONING_H_
