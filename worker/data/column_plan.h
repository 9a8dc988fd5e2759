// SPDX-License-Identifier: Apache-2.0
// What each column of a csv or tsv file is for.
#ifndef SERAPH_WORKER_DATA_COLUMN_PLAN_H_
#define SERAPH_WORKER_DATA_COLUMN_PLAN_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "worker/data/row_format.h"

namespace seraph {

// A plain value.
struct ColumnPlan {
  enum class Role : uint8_t { kUnused, kLabel, kWeight, kNumeric, kCategorical };
  struct Column {
    Role role = Role::kUnused;
    uint32_t position = 0;  // Among Columns::names, which keys are made of.
    std::string name = {};  // Empty where the columns have none.
  };
  std::vector<Column> columns;  // In the order of the file.
  size_t features = 0;          // Numeric and categorical ones.

  // "column 3 (`age`)", by the place in the file.
  std::string Shown(size_t column) const;
};

// The plan of a file of `width` columns; `header` holds their names, or is empty where the file has
// none. INVALID_ARGUMENT names the column: it is not there (with the nearest name), stands twice in
// the header, is stated for two things, or cannot be told from a number of columns that differs
// from that of `columns.names`.
absl::StatusOr<ColumnPlan> PlanColumns(const Columns& columns, size_t width,
                                       absl::Span<const std::string> header);

// Checks what can be told without a file: that columns are stated by name only where there are
// names (`header`: files will bring them), and lists that overlap.
absl::Status CheckColumns(const Columns& columns, bool header);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_COLUMN_PLAN_H_
