// SPDX-License-Identifier: Apache-2.0
// "Did you mean ...": the nearest of a set of valid names.
#ifndef SERAPH_COMMON_NEAREST_NAME_H_
#define SERAPH_COMMON_NEAREST_NAME_H_

#include <string>
#include <vector>

#include "absl/strings/string_view.h"

namespace seraph {

// The valid name with the smallest edit distance (insert, delete, replace, swap of neighbours), the
// first of equals; empty when `valid` is empty or all are further than half of the longer name.
std::string NearestName(absl::string_view name, const std::vector<std::string>& valid);

}  // namespace seraph

#endif  // SERAPH_COMMON_NEAREST_NAME_H_
