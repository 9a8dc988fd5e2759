// SPDX-License-Identifier: Apache-2.0
// Looks through data files for a user who wants to know what they hold and how a job would read
// them.
#ifndef SERAPH_WORKER_DATA_DATA_INSPECTION_H_
#define SERAPH_WORKER_DATA_DATA_INSPECTION_H_

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/data/column_census.h"
#include "worker/data/row_format.h"

namespace seraph {

struct DataInspection {
  static constexpr size_t kMostLabels = 10;
  static constexpr size_t kMostBadRows = 5;

  struct BadRow {
    std::string file;
    uint64_t line;
    std::string what;
  };

  // How a job would read the files: stated by the caller, else guessed.
  RowFormat::Options format;
  uint64_t text_bytes = 0;  // Inflated.
  uint64_t rows = 0;        // Bad ones too.
  uint64_t bad_rows = 0;
  std::vector<BadRow> first_bad_rows;

  // Of the good rows:
  std::map<float, uint64_t> labels;  // The first kMostLabels different ones, with their rows.
  bool more_labels = false;
  float smallest_label = 0, largest_label = 0;
  uint64_t features = 0;                           // In all of them.
  uint64_t smallest_index = 0, largest_index = 0;  // As written; where rows have indices.
  uint32_t smallest_field = 0, largest_field = 0;  // Where rows have fields.
  std::vector<ColumnCensus::Column> columns;       // Where rows have columns.
};

struct InspectOptions {
  std::string format;                  // Empty: guessed.
  std::optional<uint64_t> index_base;  // None: 0 if there is an index 0, else 1.
  std::string spill_folder;            // Empty: the system's temporary folder.
};

// Reads all rows of `paths`, which are files, two or three times over, in bounded memory; the
// format is guessed by the start of the first. INVALID_ARGUMENT when no format fits, when there are
// no rows or none is good; errors of DataSet::Open.
absl::StatusOr<DataInspection> InspectData(const std::vector<std::string>& paths,
                                           const InspectOptions& options);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_DATA_INSPECTION_H_
