// SPDX-License-Identifier: Apache-2.0
// Rows of columns: csv, and tsv, which differs in its delimiter. A record is cut by RFC 4180
// (csv_scanner.h). A numeric column's key is its position and its value the number; a value of a
// categorical column has a key of its own (category_key.h) and the value 1; the field of both is
// the position. A zero and a missing value are absent features.
#ifndef SERAPH_WORKER_DATA_CSV_H_
#define SERAPH_WORKER_DATA_CSV_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/row_format.h"

namespace seraph {

// For options.format csv or tsv. INVALID_ARGUMENT: a dialect or columns that cannot be. Unbound, it
// parses a record as if that were a whole file without header.
absl::StatusOr<std::unique_ptr<RowFormat>> NewCsvFormat(const RowFormat::Options& options);

// What cuts records of the format (csv or tsv) unless the dialect says otherwise.
std::string DefaultDelimiter(absl::string_view format);

// The columns of a record as a format with these options cuts it. INVALID_ARGUMENT: a dialect that
// cannot be, broken quotes.
absl::StatusOr<std::vector<std::string>> CutRecord(const RowFormat::Options& options,
                                                   absl::string_view record);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_CSV_H_
