// SPDX-License-Identifier: Apache-2.0
#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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
};

constexpr Entry kOptimizers[] = {
    // Sorted by name.
    {"adagrad", NewAdaGrad},
    {"ftrl", NewFtrl},
    {"sgd", NewSgd},
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

std::vector<std::string> OptimizerNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kOptimizers) names.push_back(entry.name);
  return names;
}

}  // namespace seraph
