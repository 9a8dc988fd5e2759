// SPDX-License-Identifier: Apache-2.0
// A text format of rows. One file each, joined by the registry and the contract suite
// (tests/contract).
#ifndef SERAPH_WORKER_DATA_ROW_FORMAT_H_
#define SERAPH_WORKER_DATA_ROW_FORMAT_H_

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/batch.h"

namespace seraph {

// Stateless after creation, so one may serve many threads.
class RowFormat {
 public:
  struct Options {
    std::string format;                  // Registry name.
    std::optional<uint64_t> index_base;  // 0 or 1.
  };
  virtual ~RowFormat() = default;

  // Whether the line holds a row (not blank, not only a comment). Cheap: the index pass asks it for
  // every line. `line` has no line end; a trailing \r is ignored here and in Parse.
  virtual bool IsRow(absl::string_view line) const = 0;

  // INVALID_ARGUMENT names the token and what is wrong with it ("index 0 is below index_base 1",
  // "`4:` has no value"), without file and line, which the reader adds. `row` is then undefined.
  // Label as written; any finite number.
  virtual absl::Status Parse(absl::string_view line, Row* row) const = 0;
};

// INVALID_ARGUMENT: unknown format (with the nearest name), index_base missing or not 0 or 1.
absl::StatusOr<std::unique_ptr<RowFormat>> NewRowFormat(const RowFormat::Options& options);

std::vector<std::string> RowFormatNames();  // Sorted.

// What a format counts indices from when nothing is said; none where it must be said, or where
// there is no such format.
std::optional<uint64_t> DefaultIndexBase(const std::string& format);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_ROW_FORMAT_H_
