// SPDX-License-Identifier: Apache-2.0
#include "common/process/byte_size.h"

#include <limits>

#include "absl/strings/ascii.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

// 0 for a unit that does not exist.
int64_t UnitBytes(absl::string_view unit) {
  const std::string lower = absl::AsciiStrToLower(unit);
  if (lower.empty() || lower == "b") return 1;
  const absl::string_view prefixes = "kmgt";
  const size_t power = prefixes.find(lower[0]);
  const bool binary = lower.size() == 3 && lower.substr(1) == "ib";
  const bool decimal = lower.size() == 2 && lower[1] == 'b';
  if (power == absl::string_view::npos || !(binary || decimal)) return 0;
  int64_t bytes = 1;
  for (size_t i = 0; i <= power; ++i) bytes *= binary ? 1024 : 1000;
  return bytes;
}

}  // namespace

absl::StatusOr<int64_t> ParseByteSize(absl::string_view text) {
  const absl::string_view trimmed = absl::StripAsciiWhitespace(text);
  const size_t digits = std::min(trimmed.find_first_not_of("0123456789"), trimmed.size());
  const int64_t unit = UnitBytes(absl::StripLeadingAsciiWhitespace(trimmed.substr(digits)));
  int64_t number = 0;
  if (unit == 0 || !absl::SimpleAtoi(trimmed.substr(0, digits), &number) ||
      number > std::numeric_limits<int64_t>::max() / unit) {
    return absl::InvalidArgumentError(
        absl::StrCat("\"", text, "\" is no size in bytes; write it like 8GiB or 512MB"));
  }
  return number * unit;
}

}  // namespace seraph
