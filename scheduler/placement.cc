// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement.h"

#include "common/partitioning.h"

namespace seraph {

uint32_t UsedPartitions(const TableSpec& spec) {
  if (spec.kind == TableKind::kSparse) return spec.partitions;
  return PartitionOf(spec, spec.rows - 1) + 1;
}

std::vector<uint32_t> ContiguousPlacement::Place(const TableSpec& spec, size_t servers) const {
  const uint64_t used = UsedPartitions(spec);
  std::vector<uint32_t> owner(spec.partitions, static_cast<uint32_t>(servers - 1));
  for (uint64_t p = 0; p < used; ++p) owner[p] = static_cast<uint32_t>(p * servers / used);
  return owner;
}

}  // namespace seraph
