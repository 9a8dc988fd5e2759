// SPDX-License-Identifier: Apache-2.0
#include "worker/data/label_map.h"

#include <algorithm>
#include <cmath>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "absl/strings/str_join.h"

namespace seraph {
namespace {

// Labels are read as floats, so listed numbers are compared as floats: 0.1 means the label `0.1`.
bool Contains(const std::vector<double>& numbers, float label) {
  return std::any_of(numbers.begin(), numbers.end(),
                     [label](double number) { return static_cast<float>(number) == label; });
}

}  // namespace

LabelMap LabelMap::Regression() { return LabelMap(Rule::kRegression); }

LabelMap LabelMap::Counts() { return LabelMap(Rule::kCounts); }

LabelMap LabelMap::Classes(uint32_t classes) {
  LabelMap map(Rule::kClasses);
  map.classes_ = classes;
  return map;
}

LabelMap LabelMap::Binary() {
  LabelMap map(Rule::kBinary);
  map.positive_ = {1};
  map.negative_ = {0, -1};
  return map;
}

absl::StatusOr<LabelMap> LabelMap::Binary(absl::Span<const double> positive,
                                          absl::Span<const double> negative) {
  if (positive.empty()) return absl::InvalidArgumentError("label.positive lists no label");
  if (negative.empty()) return absl::InvalidArgumentError("label.negative lists no label");
  LabelMap map(Rule::kBinary);
  map.positive_.assign(positive.begin(), positive.end());
  map.negative_.assign(negative.begin(), negative.end());
  for (const double number : negative) {
    if (Contains(map.positive_, static_cast<float>(number))) {
      return absl::InvalidArgumentError(
          absl::StrCat("label ", number, " is listed as positive and as negative"));
    }
  }
  return map;
}

absl::StatusOr<float> LabelMap::Map(float label) const {
  if (!std::isfinite(label)) return absl::InvalidArgumentError("label is not a finite number");
  switch (rule_) {
    case Rule::kRegression:
      return label;
    case Rule::kCounts:
      if (label >= 0) return label;
      return absl::InvalidArgumentError(absl::StrFormat("label %.9g is negative", label));
    case Rule::kClasses:
      if (label >= 0 && label < static_cast<float>(classes_) && label == std::floor(label)) {
        return label;
      }
      return absl::InvalidArgumentError(absl::StrFormat(
          "label %.9g is not one of the classes 0 to %d", label, int64_t{classes_} - 1));
    case Rule::kBinary:
      break;
  }
  if (Contains(positive_, label)) return 1.0f;
  if (Contains(negative_, label)) return 0.0f;
  return absl::InvalidArgumentError(absl::StrCat("label ", label, " is neither positive (",
                                                 absl::StrJoin(positive_, ", "), ") nor negative (",
                                                 absl::StrJoin(negative_, ", "), ")"));
}

}  // namespace seraph
