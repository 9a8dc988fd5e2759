// SPDX-License-Identifier: Apache-2.0
#include "worker/data/field_map.h"

#include <algorithm>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"
#include "common/status_macros.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

absl::Status ParseRange(absl::string_view text, uint64_t* first, uint64_t* last) {
  const size_t dots = text.find("..");
  if (dots == absl::string_view::npos) {
    return absl::InvalidArgumentError(absl::StrCat(
        Excerpt(text), " is neither `position` nor a range of indices such as [0, 8]"));
  }
  RETURN_IF_ERROR(ParseUnsigned("range begins with", text.substr(0, dots), first));
  RETURN_IF_ERROR(ParseUnsigned("range ends with", text.substr(dots + 2), last));
  if (*first <= *last) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("range ", *first, "..", *last, " ends before it begins"));
}

}  // namespace

absl::StatusOr<FieldMap> FieldMap::Of(absl::Span<const std::string> texts) {
  FieldMap map;
  if (texts.empty() || (texts.size() == 1 && texts[0] == "position")) return map;
  for (size_t i = 0; i < texts.size(); ++i) {
    Range range{.first = 0, .last = 0, .field = static_cast<uint32_t>(i)};
    RETURN_IF_ERROR(ParseRange(texts[i], &range.first, &range.last));
    map.ranges_.push_back(range);
  }
  std::sort(map.ranges_.begin(), map.ranges_.end(),
            [](const Range& a, const Range& b) { return a.first < b.first; });
  for (size_t i = 1; i < map.ranges_.size(); ++i) {
    const Range& before = map.ranges_[i - 1];
    const Range& range = map.ranges_[i];
    if (before.last < range.first) continue;
    return absl::InvalidArgumentError(absl::StrCat("ranges ", before.first, "..", before.last,
                                                   " and ", range.first, "..", range.last,
                                                   " overlap"));
  }
  return map;
}

const FieldMap::Range* FieldMap::Find(uint64_t number) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), number,
                       [](uint64_t n, const Range& range) { return n < range.first; });
  if (after == ranges_.begin() || (after - 1)->last < number) return nullptr;
  return &*(after - 1);
}

absl::Status FieldMap::Number(Row* row) const {
  const bool columns = !row->fields.empty();
  if (!by_range()) {
    if (columns) return absl::OkStatus();
    row->fields.resize(row->keys.size());
    std::iota(row->fields.begin(), row->fields.end(), 0u);
    return absl::OkStatus();
  }
  row->fields.resize(row->keys.size());
  for (size_t i = 0; i < row->keys.size(); ++i) {
    if (row->values[i] == 0) continue;
    const uint64_t number = columns ? row->fields[i] : row->keys[i];
    const Range* const range = Find(number);
    if (range == nullptr) {
      return absl::InvalidArgumentError(absl::StrCat(columns ? "column " : "key ", number,
                                                     " is in none of the ranges of data.fields"));
    }
    row->fields[i] = range->field;
  }
  return absl::OkStatus();
}

}  // namespace seraph
