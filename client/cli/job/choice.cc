// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/choice.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/scalar_text.h"
#include "common/nearest_name.h"

namespace seraph {
namespace {

bool Contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

absl::Status CheckChoice(const std::string& key, const std::string& value,
                         const std::vector<std::string>& valid,
                         const std::vector<std::string>& later) {
  if (Contains(valid, value)) return absl::OkStatus();
  if (Contains(later, value)) {
    return absl::UnimplementedError(absl::StrCat(key, ": ", value, " is not in this version"));
  }
  const std::string nearest = NearestName(value, valid);
  return absl::InvalidArgumentError(
      absl::StrCat(key, ": unknown value ", Quoted(value),
                   nearest.empty() ? absl::StrCat(", valid are ", absl::StrJoin(valid, ", "))
                                   : absl::StrCat(", did you mean \"", nearest, "\"?")));
}

}  // namespace seraph
