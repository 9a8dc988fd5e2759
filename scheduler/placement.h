// SPDX-License-Identifier: Apache-2.0
// Which server owns which partition of a new table.
#ifndef SERAPH_SCHEDULER_PLACEMENT_H_
#define SERAPH_SCHEDULER_PLACEMENT_H_

#include <cstddef>
#include <cstdint>
#include <vector>

#include "common/table_spec.h"

namespace seraph {

// Stateless; decisions are functions of their arguments.
class PlacementPolicy {
 public:
  virtual ~PlacementPolicy() = default;

  // [spec.partitions]: index of the owner, below `servers`. REQUIRES: servers > 0, a valid spec.
  virtual std::vector<uint32_t> Place(const TableSpec& spec, size_t servers) const = 0;
};

// Contiguous ranges whose sizes differ by at most one. Partitions that no row can live in (a dense
// table of few rows) do not count: the used ones are spread, the others follow the last server.
class ContiguousPlacement : public PlacementPolicy {
 public:
  std::vector<uint32_t> Place(const TableSpec& spec, size_t servers) const override;
};

// How many partitions, from 0 on, can hold rows. REQUIRES: a valid spec.
uint32_t UsedPartitions(const TableSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_PLACEMENT_H_
