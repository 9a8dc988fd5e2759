// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_inspection.h"

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/csv.h"
#include "worker/data/format_guess.h"
#include "worker/data/record_reader.h"
#include "worker/data/text_source.h"

namespace seraph {
namespace {

constexpr size_t kSampleBytes = size_t{1} << 20;

using Visit = std::function<void(absl::string_view record, uint64_t line_number)>;

// Calls `visit` for each row of the file, also for a header.
absl::Status ForEachRecord(const TextSource& text, const RowFormat& format, const Visit& visit) {
  ASSIGN_OR_RETURN(const TextSource::View view, text.OpenView());
  RecordReader records(view.file, view.begin + text.text_begin(), view.begin + text.bytes(),
                       &format);
  while (true) {
    const absl::StatusOr<bool> more = records.Next();
    if (!more.ok()) {
      return Annotate(more.status(), absl::StrCat(text.path(), ":", records.line_number()));
    }
    if (!*more) return text.CheckUnchanged(view);
    visit(records.record(), records.line_number());
  }
}

class Inspector {
 public:
  explicit Inspector(const InspectOptions& options)
      : options_(options), spill_(options.spill_folder) {}

  absl::StatusOr<DataInspection> Run(const std::vector<std::string>& paths) {
    ASSIGN_OR_RETURN(const std::string sample, TextSource::ReadStart(paths[0], kSampleBytes));
    absl::StatusOr<RowFormat::Options> guess =
        GuessFormat(sample, sample.size() < kSampleBytes, options_.format);
    if (!guess.ok()) return Annotate(guess.status(), paths[0]);
    found_.format = *std::move(guess);
    for (const std::string& path : paths) {
      ASSIGN_OR_RETURN(texts_.emplace_back(), TextSource::Open(path, &spill_));
      found_.text_bytes += texts_.back()->bytes();
    }
    if (HasColumns(found_.format.format)) {
      RETURN_IF_ERROR(CountColumns(sample));
    } else if (options_.index_base.has_value()) {
      found_.format.index_base = options_.index_base;
    }
    for (const auto& text : texts_) RETURN_IF_ERROR(ReadRows(*text));
    RETURN_IF_ERROR(CheckRows(paths[0]));
    if (!HasColumns(found_.format.format)) SettleIndexBase();
    return std::move(found_);
  }

 private:
  // States missing tokens and columns in the format.
  absl::Status CountColumns(absl::string_view sample) {
    if (options_.index_base.has_value()) {
      return absl::InvalidArgumentError(
          absl::StrCat("format ", found_.format.format, " has no index_base"));
    }
    ASSIGN_OR_RETURN(const std::unique_ptr<RowFormat> format, NewRowFormat(found_.format));
    std::optional<ColumnCensus> census;
    for (uint64_t lines = 0; !sample.empty();) {
      const absl::string_view record = TakeRecord(*format, &sample, &lines);
      if (format->IsRow(record)) CountRecord(record, &census);
    }
    if (census.has_value()) found_.format.dialect.missing = census->MissingTokens();
    census.reset();
    for (const auto& text : texts_) {
      bool first = true;
      RETURN_IF_ERROR(ForEachRecord(*text, *format, [&](absl::string_view record, uint64_t) {
        const bool header = std::exchange(first, false) && format->has_header();
        if (!header || !census.has_value()) CountRecord(record, &census);
      }));
    }
    if (!census.has_value()) return absl::OkStatus();  // No rows, as is told later.
    found_.format.columns = census->Guess();
    found_.columns = census->columns();
    return absl::OkStatus();
  }

  // The first record of all makes the census: names, or the number of columns.
  void CountRecord(absl::string_view record, std::optional<ColumnCensus>* census) const {
    const absl::StatusOr<std::vector<std::string>> fields = CutRecord(found_.format, record);
    if (!fields.ok()) return;
    const std::vector<std::string>& missing = found_.format.dialect.missing;
    const bool header = found_.format.dialect.header;
    if (!census->has_value()) {
      census->emplace(header ? *fields : std::vector<std::string>(fields->size()), missing);
      if (header) return;
    }
    (*census)->Add(*fields);
  }

  absl::Status ReadRows(const TextSource& text) {
    ASSIGN_OR_RETURN(const std::unique_ptr<RowFormat> unbound, NewRowFormat(found_.format));
    std::unique_ptr<RowFormat> bound;
    absl::Status wrong_start;
    bool first = true;
    Row row;
    RETURN_IF_ERROR(ForEachRecord(text, *unbound, [&](absl::string_view record, uint64_t line) {
      if (std::exchange(first, false)) {
        absl::StatusOr<std::unique_ptr<RowFormat>> start = unbound->BindTo(record);
        wrong_start = Annotate(start.status(), absl::StrCat(text.path(), ":", line));
        if (start.ok()) bound = *std::move(start);
        if (unbound->has_header()) return;
      }
      if (!wrong_start.ok()) return;
      ++found_.rows;
      const absl::Status parsed = (bound != nullptr ? *bound : *unbound).Parse(record, &row);
      if (parsed.ok()) {
        Count(row);
      } else {
        CountBad({text.path(), line, std::string(parsed.message())});
      }
    }));
    return wrong_start;
  }

  void CountBad(DataInspection::BadRow row) {
    ++found_.bad_rows;
    if (found_.first_bad_rows.size() < DataInspection::kMostBadRows) {
      found_.first_bad_rows.push_back(std::move(row));
    }
  }

  void Count(const Row& row) {
    const bool first = found_.rows - found_.bad_rows == 1;
    CountLabel(row.label, first);
    if (row.keys.empty()) return;
    const bool first_features = found_.features == 0;
    found_.features += row.keys.size();
    const uint64_t base = found_.format.index_base.value_or(0);
    const uint64_t low = row.keys.front() + base;
    const uint64_t high = row.keys.back() + base;
    found_.smallest_index = first_features ? low : std::min(found_.smallest_index, low);
    found_.largest_index = std::max(found_.largest_index, high);
    if (row.fields.empty()) return;
    const auto [least, most] = std::minmax_element(row.fields.begin(), row.fields.end());
    found_.smallest_field = first_features ? *least : std::min(found_.smallest_field, *least);
    found_.largest_field = std::max(found_.largest_field, *most);
  }

  void CountLabel(float label, bool first) {
    found_.smallest_label = first ? label : std::min(found_.smallest_label, label);
    found_.largest_label = first ? label : std::max(found_.largest_label, label);
    const auto known = found_.labels.find(label);
    if (known != found_.labels.end()) {
      ++known->second;
    } else if (found_.labels.size() < DataInspection::kMostLabels) {
      found_.labels.emplace(label, 1);
    } else {
      found_.more_labels = true;
    }
  }

  absl::Status CheckRows(const std::string& path) const {
    if (found_.rows == 0) {
      return absl::InvalidArgumentError(absl::StrCat("data file ", path, " holds no rows"));
    }
    if (found_.bad_rows < found_.rows) return absl::OkStatus();
    const DataInspection::BadRow& bad = found_.first_bad_rows.front();
    return absl::InvalidArgumentError(absl::StrCat(bad.file, ":", bad.line, ": ", bad.what,
                                                   " (all ", found_.rows, " rows are bad as ",
                                                   found_.format.format, ")"));
  }

  void SettleIndexBase() {
    if (options_.index_base.has_value()) return;
    found_.format.index_base = found_.features > 0 && found_.smallest_index > 0 ? 1 : 0;
  }

  const InspectOptions options_;
  SpillFile spill_;
  std::vector<std::unique_ptr<TextSource>> texts_;
  DataInspection found_;
};

}  // namespace

absl::StatusOr<DataInspection> InspectData(const std::vector<std::string>& paths,
                                           const InspectOptions& options) {
  if (paths.empty()) return absl::InvalidArgumentError("inspect no files");
  return Inspector(options).Run(paths);
}

}  // namespace seraph
