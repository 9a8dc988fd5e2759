// SPDX-License-Identifier: Apache-2.0
#include "worker/data/record_reader.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {

RecordReader::RecordReader(const DataFileReader* file, uint64_t begin, uint64_t end,
                           const RowFormat* format, uint64_t first_line)
    : format_(format), lines_(file, begin, end), next_line_number_(first_line) {}

absl::StatusOr<bool> RecordReader::Next() {
  do {
    line_number_ = next_line_number_;
    ASSIGN_OR_RETURN(const bool more, lines_.Next());
    if (!more) return false;
    ++next_line_number_;
    size_t line_begin = 0;
    bool inside = false;
    while ((inside = format_->GoesOn(lines_.line().substr(line_begin), inside))) {
      line_begin = lines_.line().size() + 1;
      const absl::StatusOr<bool> extended = lines_.Extend();
      if (absl::IsInvalidArgument(extended.status()) || (extended.ok() && !*extended)) {
        return absl::InvalidArgumentError(absl::StrCat(
            "a quoted field that begins here does not end",
            extended.ok() ? "" : absl::StrCat(" within ", kMaxLineBytes >> 20, " MiB")));
      }
      RETURN_IF_ERROR(extended.status());
      ++next_line_number_;
    }
  } while (!format_->IsRow(lines_.line()));
  return true;
}

absl::string_view TakeRecord(const RowFormat& format, absl::string_view* text, uint64_t* lines) {
  *lines = 0;
  size_t begin = 0;
  size_t end = 0;
  bool inside = false;
  do {
    end = std::min(text->find('\n', begin), text->size());
    ++*lines;
    inside = format.GoesOn(text->substr(begin, end - begin), inside);
    begin = end + 1;
  } while (inside && begin <= text->size());
  const absl::string_view record = text->substr(0, end);
  text->remove_prefix(std::min(end + 1, text->size()));
  return record;
}

}  // namespace seraph
