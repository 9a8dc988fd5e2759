// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/row_format_fuzz.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "absl/strings/string_view.h"
#include "worker/data/record_reader.h"

namespace seraph {
namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void CheckRow(const Row& row) {
  Require(std::isfinite(row.label), "the label is finite");
  Require(std::isfinite(row.weight) && row.weight >= 0, "the weight is finite, at least 0");
  Require(row.keys.size() == row.values.size(), "each key has a value");
  const bool with_fields = !row.fields.empty();
  Require(!with_fields || row.fields.size() == row.keys.size(), "all or none have fields");
  for (size_t i = 0; i < row.keys.size(); ++i) {
    const bool ascends =
        i == 0 || row.keys[i - 1] < row.keys[i] ||
        (with_fields && row.keys[i - 1] == row.keys[i] && row.fields[i - 1] < row.fields[i]);
    Require(ascends, "keys, or keys and fields, ascend, each once");
    Require(std::isfinite(row.values[i]) && row.values[i] != 0, "values are finite and not zero");
  }
}

void CheckError(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument, "a bad row is INVALID_ARGUMENT");
  Require(status.message().size() < 200, "errors are short");
  for (const char c : status.message()) Require(c >= ' ' && c < '\x7f', "errors are printable");
}

// The format of the file's rows; null when its first record fits no such file.
std::unique_ptr<RowFormat> Bind(std::unique_ptr<RowFormat> format, absl::string_view text) {
  while (!text.empty()) {
    uint64_t lines = 0;
    const absl::string_view record = TakeRecord(*format, &text, &lines);
    if (!format->IsRow(record)) continue;
    absl::StatusOr<std::unique_ptr<RowFormat>> bound = format->BindTo(record);
    if (!bound.ok()) {
      CheckError(bound.status());
      return nullptr;
    }
    return *bound == nullptr ? std::move(format) : std::move(*bound);
  }
  return nullptr;
}

}  // namespace

void FuzzRowFormat(const RowFormat::Options& options, const uint8_t* data, size_t size) {
  absl::string_view text(reinterpret_cast<const char*>(data), size);
  const std::unique_ptr<RowFormat> format = Bind(NewRowFormat(options).value(), text);
  if (format == nullptr) return;
  Row row;
  while (!text.empty()) {
    uint64_t lines = 0;
    const size_t before = text.size();
    const absl::string_view record = TakeRecord(*format, &text, &lines);
    Require(lines > 0 && text.size() < before, "records end");
    const absl::Status status = format->Parse(record, &row);
    if (!status.ok()) {
      CheckError(status);
      continue;
    }
    Require(format->IsRow(record), "only rows parse");
    CheckRow(row);
  }
}

void FuzzIndexedFormat(const std::string& format, const uint8_t* data, size_t size) {
  for (const uint64_t index_base : {0, 1}) {
    FuzzRowFormat({.format = format, .index_base = index_base}, data, size);
  }
}

void FuzzColumnFormat(const std::string& format, const uint8_t* data, size_t size) {
  const Columns mixed{.label = "-1", .categorical = {"0"}, .weight = "1"};
  const Columns named{.label = "y", .categorical = {"c"}, .names = {"y", "c", "n"}};
  for (const bool header : {false, true}) {
    FuzzRowFormat({.format = format, .dialect = {.header = header}}, data, size);
    FuzzRowFormat({.format = format,
                   .columns = mixed,
                   .dialect = {.header = header,
                               .delimiter = ";",
                               .quote = "'",
                               .comment = "#",
                               .missing = {"NA", "?"}}},
                  data, size);
    FuzzRowFormat({.format = format, .columns = named, .dialect = {.header = header}}, data, size);
    FuzzRowFormat({.format = format, .dialect = {.header = header, .quote = "none"}}, data, size);
  }
}

}  // namespace seraph
