// SPDX-License-Identifier: Apache-2.0
#include "worker/data/header.h"

#include <memory>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/csv.h"
#include "worker/data/record_reader.h"
#include "worker/data/text_source.h"

namespace seraph {
namespace {

constexpr size_t kMostBytes = size_t{4} << 20;

}  // namespace

absl::StatusOr<std::vector<std::string>> ReadHeader(const DataFile& file) {
  ASSIGN_OR_RETURN(const std::unique_ptr<RowFormat> format, NewRowFormat(file.format));
  ASSIGN_OR_RETURN(const std::string text, TextSource::ReadStart(file.path, kMostBytes));
  uint64_t line_number = 1;
  uint64_t lines = 0;
  for (absl::string_view rest = text; !rest.empty(); line_number += lines) {
    const absl::string_view record = TakeRecord(*format, &rest, &lines);
    if (!format->IsRow(record)) continue;
    const std::string place = absl::StrCat(file.path, ":", line_number);
    if (rest.empty() && text.size() == kMostBytes) {
      return absl::InvalidArgumentError(
          absl::StrCat(place, ": the header is longer than ", kMostBytes >> 20, " MiB"));
    }
    absl::StatusOr<std::vector<std::string>> names = CutRecord(file.format, record);
    if (!names.ok()) return Annotate(names.status(), place);
    return names;
  }
  return absl::InvalidArgumentError(absl::StrCat("data file ", file.path, " holds no rows"));
}

}  // namespace seraph
