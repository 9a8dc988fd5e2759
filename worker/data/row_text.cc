// SPDX-License-Identifier: Apache-2.0
#include "worker/data/row_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <system_error>
#include <tuple>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"

namespace seraph {
namespace {

constexpr size_t kExcerptChars = 40;

bool IsBlank(char c) { return c == ' ' || c == '\t'; }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }

// Whether a decimal number of the accepted form, known not to fit in a double, is too small rather
// than too large: the sign of its exponent in scientific notation.
bool IsTiny(absl::string_view number) {
  const size_t e = number.find_first_of("eE");
  absl::string_view mantissa = number.substr(0, e);
  int64_t exponent = 0;
  if (e != absl::string_view::npos) {
    absl::string_view digits = number.substr(e + 1);
    if (!digits.empty() && digits[0] == '+') digits.remove_prefix(1);
    const auto [end, error] =
        std::from_chars(digits.data(), digits.data() + digits.size(), exponent);
    if (error == std::errc::result_out_of_range) return digits[0] == '-';
  }
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  const size_t first = mantissa.find_first_of("123456789");
  if (first == absl::string_view::npos) return true;
  return static_cast<int64_t>(point) - static_cast<int64_t>(first) - (first < point) + exponent < 0;
}

// Sets `value` for a number that std::from_chars could not round to a float: zero when it is too
// small. False when it is too large.
bool RoundOutOfRange(absl::string_view number, float* value) {
  double wide = 0;
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), wide);
  const bool tiny = error == std::errc() ? std::abs(wide) < 1 : IsTiny(number);
  if (tiny) *value = 0;
  return tiny;
}

absl::Status NotANumber(absl::string_view what, absl::string_view text) {
  return absl::InvalidArgumentError(absl::StrCat(what, " ", Excerpt(text), " is not a number"));
}

bool IsSorted(const Row& row) {
  if (row.fields.empty()) {
    return std::adjacent_find(row.keys.begin(), row.keys.end(), std::greater<uint64_t>()) ==
           row.keys.end();
  }
  for (size_t i = 1; i < row.keys.size(); ++i) {
    if (std::tie(row.keys[i], row.fields[i]) < std::tie(row.keys[i - 1], row.fields[i - 1])) {
      return false;
    }
  }
  return true;
}

// Entries of one key and field stay in the order of the file.
void Sort(Row* row) {
  struct Entry {
    uint64_t key;
    uint32_t field;
    float value;
  };
  const bool with_fields = !row->fields.empty();
  std::vector<Entry> entries(row->keys.size());
  for (size_t i = 0; i < entries.size(); ++i) {
    entries[i] = {row->keys[i], with_fields ? row->fields[i] : 0, row->values[i]};
  }
  std::stable_sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) {
    return std::tie(a.key, a.field) < std::tie(b.key, b.field);
  });
  for (size_t i = 0; i < entries.size(); ++i) {
    row->keys[i] = entries[i].key;
    row->values[i] = entries[i].value;
    if (with_fields) row->fields[i] = entries[i].field;
  }
}

}  // namespace

TokenScanner::TokenScanner(absl::string_view line) : rest_(line) {
  if (!rest_.empty() && rest_.back() == '\r') rest_.remove_suffix(1);
  rest_ = rest_.substr(0, rest_.find('#'));
}

bool TokenScanner::Next(absl::string_view* token) {
  size_t begin = 0;
  while (begin < rest_.size() && IsBlank(rest_[begin])) ++begin;
  size_t end = begin;
  while (end < rest_.size() && !IsBlank(rest_[end])) ++end;
  *token = rest_.substr(begin, end - begin);
  rest_.remove_prefix(end);
  return !token->empty();
}

bool HasToken(absl::string_view line) {
  for (size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#') return false;
    if (line[i] == '\r' && i + 1 == line.size()) return false;
    if (!IsBlank(line[i])) return true;
  }
  return false;
}

std::string Excerpt(absl::string_view text) {
  std::string excerpt = "`";
  size_t chars = 0;
  for (const char c : text) {
    const bool printable = c > ' ' && c < '\x7f';
    chars += printable ? 1 : 4;
    if (chars > kExcerptChars) {
      excerpt += "...";
      break;
    }
    if (printable) {
      excerpt += c;
    } else {
      absl::StrAppendFormat(&excerpt, "\\x%02x", static_cast<unsigned char>(c));
    }
  }
  excerpt += '`';
  return excerpt;
}

absl::Status ParseFloat(absl::string_view what, absl::string_view text, float* value) {
  absl::string_view number = text;
  const bool plus = !number.empty() && number[0] == '+';
  if (plus) number.remove_prefix(1);
  const size_t sign = !plus && !number.empty() && number[0] == '-' ? 1 : 0;
  if (number.size() <= sign || !(IsDigit(number[sign]) || number[sign] == '.')) {
    return NotANumber(what, text);  // Also words: nan, inf.
  }
  const char* const last = number.data() + number.size();
  const auto [end, error] = std::from_chars(number.data(), last, *value);
  if (error == std::errc::invalid_argument || end != last) return NotANumber(what, text);
  if (error == std::errc::result_out_of_range && !RoundOutOfRange(number, value)) {
    return absl::InvalidArgumentError(
        absl::StrCat(what, " ", Excerpt(text), " is too large for a 32-bit float"));
  }
  return absl::OkStatus();
}

absl::Status ParseWeight(absl::string_view text, float* weight) {
  if (absl::Status status = ParseFloat("weight", text, weight); !status.ok()) return status;
  if (*weight >= 0) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat("weight ", Excerpt(text), " is negative"));
}

absl::Status ParseUnsigned(absl::string_view what, absl::string_view text, uint64_t* value) {
  const char* const last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), last, *value);
  if (error == std::errc() && end == last) return absl::OkStatus();
  const char* reason = " is not a whole number";
  if (error == std::errc::result_out_of_range && end == last) {
    reason = " does not fit in 64 bits";
  } else if (text.size() > 1 && text[0] == '-' && IsDigit(text[1])) {
    reason = " is negative";
  }
  return absl::InvalidArgumentError(absl::StrCat(what, " ", Excerpt(text), reason));
}

absl::Status ParseKey(absl::string_view text, uint64_t index_base, uint64_t* key) {
  uint64_t index = 0;
  if (absl::Status status = ParseUnsigned("index", text, &index); !status.ok()) return status;
  if (index < index_base) {
    return absl::InvalidArgumentError(
        absl::StrCat("index ", index, " is below index_base ", index_base));
  }
  *key = index - index_base;
  return absl::OkStatus();
}

void ClearRow(Row* row) {
  row->label = 0;
  row->weight = 1;
  row->keys.clear();
  row->values.clear();
  row->fields.clear();
}

absl::Status BeginRow(TokenScanner* scanner, Row* row) {
  ClearRow(row);
  absl::string_view token;
  if (!scanner->Next(&token)) return absl::InvalidArgumentError("the line holds no row");
  return ParseFloat("label", token, &row->label);
}

absl::Status NormaliseRow(absl::string_view what, uint64_t base, Row* row) {
  if (!IsSorted(*row)) Sort(row);
  const bool with_fields = !row->fields.empty();
  size_t kept = 0;
  for (size_t i = 0; i < row->keys.size();) {
    const uint64_t key = row->keys[i];
    const uint32_t field = with_fields ? row->fields[i] : 0;
    float sum = row->values[i];
    for (++i; i < row->keys.size() && row->keys[i] == key; ++i) {
      if (with_fields && row->fields[i] != field) break;
      sum += row->values[i];
    }
    if (!std::isfinite(sum)) {
      return absl::InvalidArgumentError(absl::StrCat("the values of ", what, " ", key + base,
                                                     " sum to more than a 32-bit float holds"));
    }
    if (sum == 0) continue;
    row->keys[kept] = key;
    row->values[kept] = sum;
    if (with_fields) row->fields[kept] = field;
    ++kept;
  }
  row->keys.resize(kept);
  row->values.resize(kept);
  if (with_fields) row->fields.resize(kept);
  return absl::OkStatus();
}

}  // namespace seraph
