// SPDX-License-Identifier: Apache-2.0
#include "worker/data/format_guess.h"

#include <algorithm>
#include <map>
#include <memory>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/status_macros.h"
#include "worker/data/csv.h"
#include "worker/data/record_reader.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

constexpr size_t kMostRecords = 1000;
// Of the records, this part must be in the format.
constexpr double kMostlyAll = 0.8;

bool IsNumber(const std::string& text) {
  float value = 0;
  return ParseFloat("value", text, &value).ok();
}

// The first rows of the text as the format cuts them.
std::vector<absl::string_view> Records(const RowFormat& format, absl::string_view text) {
  std::vector<absl::string_view> records;
  while (!text.empty() && records.size() < kMostRecords) {
    uint64_t lines = 0;
    const absl::string_view record = TakeRecord(format, &text, &lines);
    if (format.IsRow(record)) records.push_back(record);
  }
  return records;
}

// How well a format of indices fits.
struct IndexedFit {
  bool fits = false;    // Enough records parse.
  size_t features = 0;  // In all of them.
};

IndexedFit FitIndexed(const std::string& name, absl::string_view text) {
  const auto format = NewRowFormat({.format = name, .index_base = 0}).value();
  const std::vector<absl::string_view> records = Records(*format, text);
  IndexedFit fit;
  size_t good = 0;
  Row row;
  for (const absl::string_view record : records) {
    if (!format->Parse(record, &row).ok()) continue;
    ++good;
    fit.features += row.keys.size();
  }
  fit.fits =
      good > 0 && static_cast<double>(good) >= kMostlyAll * static_cast<double>(records.size());
  return fit;
}

// Indices without values are what whole numbers in columns look like too. Those of a row ascend,
// and people separate them by spaces.
bool IndicesAscend(absl::string_view text) {
  const auto format = NewRowFormat({.format = "dummy", .index_base = 0}).value();
  for (const absl::string_view record : Records(*format, text)) {
    if (record.find('\t') != absl::string_view::npos) return false;
    TokenScanner scanner(record);
    absl::string_view token;
    scanner.Next(&token);
    uint64_t before = 0;
    for (bool first = true; scanner.Next(&token); first = false) {
      uint64_t index = 0;
      if (!ParseUnsigned("index", token, &index).ok() || (!first && index <= before)) return false;
      before = index;
    }
  }
  return true;
}

// How well a delimiter cuts: records of the commonest number of columns.
struct ColumnFit {
  Dialect dialect;
  double agree = 0;  // Their part of all records.
  size_t columns = 0;
  std::vector<std::vector<std::string>> rows;  // They.
};

ColumnFit FitColumns(const Dialect& dialect, absl::string_view text) {
  const RowFormat::Options options{.format = "csv", .dialect = dialect};
  const auto format = NewRowFormat(options).value();
  std::map<size_t, std::vector<std::vector<std::string>>> rows_of_width;
  size_t records = 0;
  for (const absl::string_view record : Records(*format, text)) {
    ++records;
    absl::StatusOr<std::vector<std::string>> fields = CutRecord(options, record);
    if (fields.ok()) rows_of_width[fields->size()].push_back(*std::move(fields));
  }
  ColumnFit fit{.dialect = dialect, .rows = {}};
  for (auto& [width, rows] : rows_of_width) {
    const double part = static_cast<double>(rows.size()) / static_cast<double>(records);
    if (part < fit.agree) continue;
    fit.agree = part;
    fit.columns = width;
    fit.rows = std::move(rows);
  }
  return fit;
}

// Better: more records agree, or as many on more columns.
bool Better(const ColumnFit& a, const ColumnFit& b) {
  if ((a.columns > 1) != (b.columns > 1)) return a.columns > 1;
  if (a.agree != b.agree) return a.agree > b.agree;
  return a.columns > b.columns;
}

// Words over columns that hold numbers, each another: names.
bool HasHeader(const std::vector<std::vector<std::string>>& rows) {
  if (rows.size() < 2) return false;
  const std::vector<std::string>& first = rows[0];
  const absl::flat_hash_set<std::string> names(first.begin(), first.end());
  if (names.size() != first.size() || names.contains("")) return false;
  if (std::any_of(first.begin(), first.end(), IsNumber)) return false;
  for (size_t column = 0; column < first.size(); ++column) {
    const auto numbers = std::count_if(rows.begin() + 1, rows.end(),
                                       [column](const auto& row) { return IsNumber(row[column]); });
    if (numbers > 0) return true;
  }
  return false;
}

ColumnFit GuessColumns(absl::string_view text, const std::vector<std::string>& delimiters) {
  Dialect dialect;
  if (absl::StartsWith(text, "#")) dialect.comment = "#";
  ColumnFit best{.dialect = {}, .rows = {}};
  for (const std::string& delimiter : delimiters) {
    dialect.delimiter = delimiter;
    ColumnFit fit = FitColumns(dialect, text);
    if (Better(fit, best)) best = std::move(fit);
  }
  best.dialect.header = HasHeader(best.rows);
  return best;
}

RowFormat::Options WithColumns(const std::string& format, const Dialect& dialect) {
  RowFormat::Options options{.format = format, .dialect = dialect};
  if (dialect.delimiter == DefaultDelimiter(format)) options.dialect.delimiter.clear();
  return options;
}

absl::StatusOr<RowFormat::Options> GuessAny(absl::string_view text) {
  // From what is most particular to what fits most texts.
  for (const std::string name : {"libffm", "libsvm", "dummy"}) {
    const IndexedFit fit = FitIndexed(name, text);
    if (!fit.fits || fit.features == 0) continue;
    if (name == "dummy" && !IndicesAscend(text)) continue;
    return RowFormat::Options{.format = name, .index_base = 0};
  }
  const ColumnFit fit = GuessColumns(text, {"\t", ",", ";", "|", " "});
  if (fit.columns > 1 && fit.agree >= kMostlyAll) {
    return WithColumns(fit.dialect.delimiter == "\t" ? "tsv" : "csv", fit.dialect);
  }
  if (FitIndexed("libsvm", text).fits) {  // Labels alone.
    return RowFormat::Options{.format = "libsvm", .index_base = 0};
  }
  return absl::InvalidArgumentError(
      absl::StrCat("the text is in none of the formats ", absl::StrJoin(RowFormatNames(), ", ")));
}

}  // namespace

absl::StatusOr<RowFormat::Options> GuessFormat(absl::string_view sample, bool whole,
                                               const std::string& format) {
  const size_t last_line_end = sample.rfind('\n');
  if (!whole && last_line_end != absl::string_view::npos)
    sample = sample.substr(0, last_line_end + 1);
  if (format.empty()) return GuessAny(sample);
  RowFormat::Options options{.format = format};
  if (!HasColumns(format)) {
    options.index_base = 0;
  } else if (format == "tsv") {
    options = WithColumns(format, GuessColumns(sample, {"\t"}).dialect);
  } else {
    options = WithColumns(format, GuessColumns(sample, {",", ";", "|", "\t", " "}).dialect);
  }
  RETURN_IF_ERROR(NewRowFormat(options).status());
  return options;
}

}  // namespace seraph
