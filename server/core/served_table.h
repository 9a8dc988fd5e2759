// SPDX-License-Identifier: Apache-2.0
// A table as this server serves it: what request threads and executors share of it.
#ifndef SERAPH_SERVER_CORE_SERVED_TABLE_H_
#define SERAPH_SERVER_CORE_SERVED_TABLE_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "common/table_spec.h"
#include "server/consistency/policy.h"
#include "server/core/memory_budget.h"
#include "server/optimizer/optimizer.h"
#include "server/table/row_memory.h"

namespace seraph {

// Immutable once made, hence thread-safe; held by shared pointers for as long as anybody works on
// the table.
struct ServedTable {
  static constexpr int32_t kElsewhere = -1;

  uint32_t id = 0;
  std::string group;
  uint32_t workers = 1;  // Ranks in the group.
  uint64_t map_epoch = 0;
  TableSpec spec;
  std::unique_ptr<const Optimizer> optimizer;
  std::unique_ptr<const ConsistencyPolicy> policy;
  std::vector<int32_t> executor;  // [spec.partitions]: who owns it here, or kElsewhere.
  RowsShare dense_rows;           // Memory of all rows that live here; of sparse tables nothing.

  uint64_t row_bytes() const {
    return RowBytes(spec.kind, spec.dim, optimizer->StateWidth(spec.dim));
  }
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_SERVED_TABLE_H_
