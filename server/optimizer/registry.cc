// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/nearest_name.h"
#include "server/optimizer/adagrad.h"
#include "server/optimizer/ftrl.h"
#include "server/optimizer/optimizer.h"
#include "server/optimizer/sgd.h"

namespace seraph {
namespace {

struct Entry {
  const char* name;
  absl::StatusOr<std::unique_ptr<Optimizer>> (*create)(const OptimizerSpec& spec);
  absl::string_view parameters[2];  // Beside kCommonParameters; empty where there are fewer.
};

constexpr absl::string_view kCommonParameters[] = {"learning_rate", "l1", "l2"};

constexpr Entry kOptimizers[] = {
    // Sorted by name.
    {"adagrad", NewAdaGrad, {"initial_accumulator", "epsilon"}},
    {"ftrl", NewFtrl, {"initial_accumulator", "beta"}},
    {"sgd", NewSgd, {}},
};

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewOptimizer(const OptimizerSpec& spec) {
  for (const Entry& entry : kOptimizers) {
    if (spec.type == entry.name) return entry.create(spec);
  }
  const std::vector<std::string> names = OptimizerNames();
  const std::string nearest = NearestName(spec.type, names);
  return absl::InvalidArgumentError(
      absl::StrCat("no optimizer \"", spec.type, "\"",
                   nearest.empty() ? absl::StrCat("; there are ", absl::StrJoin(names, ", "))
                                   : absl::StrCat("; did you mean \"", nearest, "\"?")));
}

bool OptimizerHasParameter(const std::string& type, const std::string& name) {
  for (const Entry& entry : kOptimizers) {
    if (type != entry.name) continue;
    const auto is_name = [&name](absl::string_view other) { return other == name; };
    return !name.empty() &&
           (std::any_of(std::begin(kCommonParameters), std::end(kCommonParameters), is_name) ||
            std::any_of(std::begin(entry.parameters), std::end(entry.parameters), is_name));
  }
  return false;
}

std::vector<std::string> OptimizerNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kOptimizers) names.push_back(entry.name);
  return names;
}

}  // namespace seraph
