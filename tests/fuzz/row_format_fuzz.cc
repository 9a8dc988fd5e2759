// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/row_format_fuzz.h"

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>

#include "absl/strings/str_split.h"
#include "worker/data/row_format.h"

namespace seraph {
namespace {

void Require(bool holds, const char* what) {
  if (holds) return;
  std::fprintf(stderr, "broken: %s\n", what);
  std::abort();
}

void CheckRow(const Row& row) {
  Require(std::isfinite(row.label), "the label is finite");
  Require(row.keys.size() == row.values.size(), "each key has a value");
  for (size_t i = 0; i < row.keys.size(); ++i) {
    Require(i == 0 || row.keys[i - 1] < row.keys[i], "keys ascend, each once");
    Require(std::isfinite(row.values[i]) && row.values[i] != 0, "values are finite and not zero");
  }
}

void CheckError(const absl::Status& status) {
  Require(status.code() == absl::StatusCode::kInvalidArgument, "a bad row is INVALID_ARGUMENT");
  Require(status.message().size() < 200, "errors are short");
  for (const char c : status.message()) Require(c >= ' ' && c < '\x7f', "errors are printable");
}

}  // namespace

void FuzzRowFormat(const std::string& format, const uint8_t* data, size_t size) {
  const absl::string_view text(reinterpret_cast<const char*>(data), size);
  for (const uint64_t index_base : {0, 1}) {
    const auto parser = NewRowFormat({.format = format, .index_base = index_base}).value();
    Row row;
    for (const absl::string_view line : absl::StrSplit(text, '\n')) {
      const absl::Status status = parser->Parse(line, &row);
      if (!status.ok()) {
        CheckError(status);
        continue;
      }
      Require(parser->IsRow(line), "only rows parse");
      CheckRow(row);
    }
  }
}

}  // namespace seraph
