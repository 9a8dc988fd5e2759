// SPDX-License-Identifier: Apache-2.0
#include "worker/data/row_text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <system_error>
#include <tuple>
#include <utility>
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

absl::Status NormaliseRow(uint64_t index_base, Row* row) {
  std::vector<uint64_t>& keys = row->keys;
  std::vector<float>& values = row->values;
  if (std::adjacent_find(keys.begin(), keys.end(), std::greater<uint64_t>()) != keys.end()) {
    std::vector<std::pair<uint64_t, float>> entries(keys.size());
    for (size_t i = 0; i < keys.size(); ++i) entries[i] = {keys[i], values[i]};
    std::stable_sort(entries.begin(), entries.end(),
                     [](const auto& a, const auto& b) { return a.first < b.first; });
    for (size_t i = 0; i < keys.size(); ++i) std::tie(keys[i], values[i]) = entries[i];
  }
  size_t kept = 0;
  for (size_t i = 0; i < keys.size();) {
    const uint64_t key = keys[i];
    float sum = values[i];
    for (++i; i < keys.size() && keys[i] == key; ++i) sum += values[i];
    if (!std::isfinite(sum)) {
      return absl::InvalidArgumentError(absl::StrCat("the values of index ", key + index_base,
                                                     " sum to more than a 32-bit float holds"));
    }
    if (sum == 0) continue;
    keys[kept] = key;
    values[kept++] = sum;
  }
  keys.resize(kept);
  values.resize(kept);
  return absl::OkStatus();
}

}  // namespace seraph
