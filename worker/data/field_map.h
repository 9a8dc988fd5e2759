// SPDX-License-Identifier: Apache-2.0
// Field numbers for rows of formats that state none.
#ifndef SERAPH_WORKER_DATA_FIELD_MAP_H_
#define SERAPH_WORKER_DATA_FIELD_MAP_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "worker/data/batch.h"

namespace seraph {

// A plain value; thread-safe.
class FieldMap {
 public:
  // Fields are positions: of an entry in its row, or of a column.
  FieldMap() = default;

  // From the words of a job: "position" alone, or ranges "FIRST..LAST", both ends included, of
  // which the i-th is field i; none at all means positions. INVALID_ARGUMENT: what is neither, a
  // range whose end is before its beginning, ranges that overlap.
  static absl::StatusOr<FieldMap> Of(absl::Span<const std::string> texts);

  bool by_range() const { return !ranges_.empty(); }

  // Numbers the entries of a row as RowFormat::ParseEntries leaves them. Ranges are of keys, or of
  // columns where the row has fields already (they are the columns' positions then).
  // INVALID_ARGUMENT names a key or column that is in no range, unless its value is zero: it is no
  // feature then. The row's fields are then undefined.
  absl::Status Number(Row* row) const;

 private:
  struct Range {
    uint64_t first, last;
    uint32_t field;
  };

  // Null when there is none.
  const Range* Find(uint64_t number) const;

  std::vector<Range> ranges_;  // By first.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_FIELD_MAP_H_
