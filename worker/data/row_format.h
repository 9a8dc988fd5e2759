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
#include "worker/data/label_lists.h"

namespace seraph {

// What the columns of csv and tsv files are. A column is stated by its name or its position from 0,
// from the last one backwards when negative (-1 is the last); a list may also hold ranges of
// positions ("1..13"). A name wins over a position that reads the same.
struct Columns {
  std::string label = "0";
  // All but label and weight are numeric when both lists are empty; else only what they list.
  std::vector<std::string> numeric = {};
  std::vector<std::string> categorical = {};
  std::string weight = {};  // Empty: rows weigh 1.
  // The names that positions are counted by, in order: positions are parts of keys, so these must
  // be the same for all files of a model. Empty: those of each file's header.
  std::vector<std::string> names = {};
  // Labels and weights are not read, and their columns need not be there: rows have label 0 and
  // weight 1.
  bool unlabelled = false;
  bool operator==(const Columns&) const = default;
};

// How the text of csv and tsv files is cut into columns.
struct Dialect {
  bool header = false;         // The first record of a file names its columns.
  std::string delimiter = {};  // One character. Empty: comma for csv, tab for tsv.
  std::string quote = "\"";    // One character, or "none".
  std::string comment = {};    // Records that begin with it are none. Empty: there are none.
  std::vector<std::string> missing = {};  // Mean "no value", as the empty field does always.
  bool operator==(const Dialect&) const = default;
};

// Stateless after creation, so one may serve many threads. A record is the text of a row: a line,
// in some formats several.
class RowFormat {
 public:
  struct Options {
    std::string format;                       // Registry name.
    std::optional<uint64_t> index_base = {};  // 0 or 1; of formats with indices.
    Columns columns = {};                     // Of formats with columns, like the dialect.
    Dialect dialect = {};
    LabelLists labels = {};  // Texts: of formats with columns alone.
    // As of FieldMap::Of; not of formats that have their own.
    std::vector<std::string> fields = {};
    bool operator==(const Options&) const = default;
  };
  virtual ~RowFormat() = default;

  // Whether the record that `line` belongs to goes on in the next line. `inside`: it began in an
  // earlier one. Cheap, like IsRow: the index pass asks both of every line.
  virtual bool GoesOn(absl::string_view line, bool inside) const { return false; }

  // Whether the record holds a row (not blank, not only a comment). `record` has no line end; a
  // trailing \r is ignored here and in Parse.
  virtual bool IsRow(absl::string_view record) const = 0;

  // Whether the first record of a file for which IsRow holds is a header instead.
  virtual bool has_header() const { return false; }

  // The format for the rows of the file whose first record (IsRow holds) is `first`, where a format
  // learns something from it: names, the number of columns. Null when this one serves every file.
  // INVALID_ARGUMENT: a stated column is not there (with the nearest name).
  virtual absl::StatusOr<std::unique_ptr<RowFormat>> BindTo(absl::string_view first) const {
    return nullptr;
  }

  // INVALID_ARGUMENT names the token and what is wrong with it ("index 0 is below index_base 1",
  // "`4:` has no value"), without file and line, which the reader adds. `row` is then undefined.
  // Label as written, any finite number, or 1 and 0 where labels are texts.
  virtual absl::Status Parse(absl::string_view record, Row* row) const = 0;

  // As Parse, but for entries as they stand in the record: in its order, zeros and repeats too, and
  // sums are not looked at. Entries of columns have fields, the columns' positions.
  virtual absl::Status ParseEntries(absl::string_view record, Row* row) const = 0;
};

// INVALID_ARGUMENT: unknown format (with the nearest name), index_base missing or not 0 or 1,
// columns, a dialect or fields that cannot be.
absl::StatusOr<std::unique_ptr<RowFormat>> NewRowFormat(const RowFormat::Options& options);

std::vector<std::string> RowFormatNames();  // Sorted.

// Whether rows of the format are columns: `columns` and `dialect` are its options, else
// `index_base` is. False for an unknown one.
bool HasColumns(absl::string_view format);

// Whether the format states the field of each feature, so that nothing else may.
bool HasOwnFields(absl::string_view format);

// What indices of the format count from unless it is stated. None where it must be stated, where
// there are no indices, and for an unknown one.
std::optional<uint64_t> DefaultIndexBase(absl::string_view format);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_ROW_FORMAT_H_
