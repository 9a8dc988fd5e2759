// SPDX-License-Identifier: Apache-2.0
#include "common/nearest_name.h"

#include <algorithm>

namespace seraph {
namespace {

// Optimal string alignment distance, three rows of the usual table at a time.
size_t EditDistance(absl::string_view a, absl::string_view b) {
  std::vector<size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      const bool equal = a[i - 1] == b[j - 1];
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (equal ? 0 : 1)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        row[j] = std::min(row[j], before[j - 2] + 1);
      }
    }
    before.swap(last);
    last.swap(row);
  }
  return last[b.size()];
}

}  // namespace

std::string NearestName(absl::string_view name, const std::vector<std::string>& valid) {
  std::string nearest;
  size_t smallest = static_cast<size_t>(-1);
  for (const std::string& candidate : valid) {
    const size_t distance = EditDistance(name, candidate);
    if (distance < smallest && 2 * distance <= std::max(name.size(), candidate.size())) {
      smallest = distance;
      nearest = candidate;
    }
  }
  return nearest;
}

}  // namespace seraph
