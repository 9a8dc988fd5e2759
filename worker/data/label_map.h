// SPDX-License-Identifier: Apache-2.0
// What a label in the data means to a model.
#ifndef SERAPH_WORKER_DATA_LABEL_MAP_H_
#define SERAPH_WORKER_DATA_LABEL_MAP_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"

namespace seraph {

// A value. Regression takes any finite label as it is, counts any that is not negative. Binary
// models need 1 (positive) or 0: by default 1 is positive, 0 and -1 are negative, anything else is
// an error; with lists, exactly the listed numbers are. Classes are whole numbers from 0.
class LabelMap {
 public:
  LabelMap() = default;  // That of regression.
  static LabelMap Regression();
  static LabelMap Counts();
  static LabelMap Classes(uint32_t classes);
  static LabelMap Binary();
  // INVALID_ARGUMENT when a list is empty or a number stands in both.
  static absl::StatusOr<LabelMap> Binary(absl::Span<const double> positive,
                                         absl::Span<const double> negative);

  bool binary() const { return rule_ == Rule::kBinary; }

  // INVALID_ARGUMENT: "label 3 is neither positive (1) nor negative (0, -1)", "label 7 is not one
  // of the classes 0 to 2", "label -1 is negative".
  absl::StatusOr<float> Map(float label) const;

 private:
  enum class Rule { kRegression, kCounts, kClasses, kBinary };
  explicit LabelMap(Rule rule) : rule_(rule) {}

  Rule rule_ = Rule::kRegression;
  uint32_t classes_ = 0;
  std::vector<double> positive_;
  std::vector<double> negative_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_LABEL_MAP_H_
