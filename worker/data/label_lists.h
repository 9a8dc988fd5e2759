// SPDX-License-Identifier: Apache-2.0
// Which labels in the data are those of a model's two classes, in the words of a job.
#ifndef SERAPH_WORKER_DATA_LABEL_LISTS_H_
#define SERAPH_WORKER_DATA_LABEL_LISTS_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/data/label_map.h"

namespace seraph {

// A plain value. Empty: those that LabelMap::Binary knows.
struct LabelLists {
  std::vector<std::string> positive = {};
  std::vector<std::string> negative = {};

  bool empty() const { return positive.empty() && negative.empty(); }
  // Whether one of them is no number. All are then compared as text, which formats of columns do:
  // their rows have label 1 or 0 already.
  bool texts() const;
  bool operator==(const LabelLists&) const = default;
};

// What makes classes of labels as formats with these lists leave them. INVALID_ARGUMENT: an empty
// list, a label that stands in both.
absl::StatusOr<LabelMap> BinaryMapOf(const LabelLists& lists);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_LABEL_LISTS_H_
