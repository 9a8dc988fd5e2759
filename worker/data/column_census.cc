// SPDX-License-Identifier: Apache-2.0
#include "worker/data/column_census.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "absl/strings/ascii.h"
#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/checksum.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

constexpr std::array<absl::string_view, 12> kTokens = {"?",   "NA",   "N/A",  "na",   "n/a", "NaN",
                                                       "nan", "null", "NULL", "None", "\\N", "-"};
constexpr std::array<absl::string_view, 9> kLabelNames = {
    "label", "target", "class", "click", "clk", "y", "outcome", "response", "rating"};
constexpr std::array<absl::string_view, 3> kWeightNames = {"weight", "sample_weight", "weights"};
constexpr size_t kMostClasses = 20;

template <size_t kSize>
bool Contains(const std::array<absl::string_view, kSize>& words, absl::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// "label(IsOver50K)" begins with a word that says so too.
bool IsLabelName(const std::string& name) {
  const std::string lower = absl::AsciiStrToLower(name);
  return Contains(kLabelNames, lower) || absl::StartsWith(lower, "label");
}

bool IsClasses(const ColumnCensus::Column& column) {
  return column.numeric() && column.whole && column.missing == 0 && !column.more_values &&
         column.values.size() >= 2 && column.values.size() <= kMostClasses;
}

bool LooksLikeAPosition(absl::string_view name) {
  return !name.empty() && std::all_of(name.begin(), name.end(), [](char c) {
    return absl::ascii_isdigit(static_cast<unsigned char>(c)) || c == '-' || c == '.';
  });
}

void Count(const std::string& field, ColumnCensus::Column* column) {
  float number = 0;
  if (ParseFloat("value", field, &number).ok()) {
    if (column->numbers == 0) column->smallest = column->largest = number;
    column->smallest = std::min<double>(column->smallest, number);
    column->largest = std::max<double>(column->largest, number);
    column->whole = column->whole && std::trunc(number) == number;
    ++column->numbers;
    return;
  }
  ++column->texts;
  std::vector<std::string>& tokens = column->tokens;
  if (Contains(kTokens, field) && std::find(tokens.begin(), tokens.end(), field) == tokens.end()) {
    tokens.push_back(field);
  }
}

}  // namespace

ColumnCensus::ColumnCensus(const std::vector<std::string>& names,
                           const std::vector<std::string>& missing)
    : columns_(names.size()), missing_(missing.begin(), missing.end()) {
  absl::flat_hash_set<absl::string_view> different(names.begin(), names.end());
  named_ = different.size() == names.size() && !different.contains("") &&
           std::none_of(names.begin(), names.end(), LooksLikeAPosition);
  for (size_t i = 0; i < names.size(); ++i) columns_[i].name = names[i];
}

void ColumnCensus::Add(const std::vector<std::string>& fields) {
  if (fields.size() != columns_.size()) return;
  for (size_t i = 0; i < fields.size(); ++i) {
    Column& column = columns_[i];
    if (fields[i].empty() || missing_.contains(fields[i])) {
      ++column.missing;
      continue;
    }
    Count(fields[i], &column);
    if (column.more_values) continue;
    const bool full = column.values.size() == kMostDistinct || distinct_ == kMostDistinctOfAll;
    if (!full && column.values.insert(Checksum(fields[i])).second) ++distinct_;
    column.more_values = full && !column.values.contains(Checksum(fields[i]));
  }
}

std::vector<std::string> ColumnCensus::MissingTokens() const {
  std::vector<std::string> tokens;
  for (const Column& column : columns_) {
    for (const std::string& token : column.tokens) {
      // A column of texts may have such a word for a value of its own.
      const bool spoils_numbers = column.numbers > column.texts || token == "?";
      if (spoils_numbers && std::find(tokens.begin(), tokens.end(), token) == tokens.end()) {
        tokens.push_back(token);
      }
    }
  }
  return tokens;
}

std::string ColumnCensus::NameOf(size_t column) const {
  return named_ ? columns_[column].name : absl::StrCat(column);
}

size_t ColumnCensus::GuessLabel() const {
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (columns_[i].numeric() && IsLabelName(columns_[i].name)) return i;
  }
  const size_t last = columns_.size() - 1;
  return !IsClasses(columns_.front()) && IsClasses(columns_.back()) ? last : 0;
}

// Neighbouring positions become ranges.
std::vector<std::string> ColumnCensus::Listed(const std::vector<size_t>& columns) const {
  std::vector<std::string> listed;
  for (size_t i = 0; i < columns.size(); ++i) {
    size_t end = i;
    while (!named_ && end + 1 < columns.size() && columns[end + 1] == columns[end] + 1) ++end;
    listed.push_back(end == i ? NameOf(columns[i]) : absl::StrCat(columns[i], "..", columns[end]));
    i = end;
  }
  return listed;
}

Columns ColumnCensus::Guess() const {
  Columns guess;
  const size_t label = GuessLabel();
  guess.label = !named_ && label > 0 && label + 1 == columns_.size() ? "-1" : NameOf(label);
  std::vector<size_t> numeric, categorical;
  for (size_t i = 0; i < columns_.size(); ++i) {
    const Column& column = columns_[i];
    if (i == label) continue;
    if (guess.weight.empty() && column.numeric() && column.smallest >= 0 &&
        Contains(kWeightNames, absl::AsciiStrToLower(column.name))) {
      guess.weight = NameOf(i);
      continue;
    }
    (column.texts > 0 ? categorical : numeric).push_back(i);
  }
  if (categorical.empty()) return guess;  // All others are numeric without being listed.
  guess.numeric = Listed(numeric);
  guess.categorical = Listed(categorical);
  return guess;
}

}  // namespace seraph
