// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iterator>

#include "absl/status/status.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/string_view.h"
#include "common/nearest_name.h"
#include "common/status_macros.h"
#include "server/optimizer/adagrad.h"
#include "server/optimizer/adam.h"
#include "server/optimizer/adamw.h"
#include "server/optimizer/ftrl.h"
#include "server/optimizer/momentum.h"
#include "server/optimizer/optimizer.h"
#include "server/optimizer/rmsprop.h"
#include "server/optimizer/rowwise_adagrad.h"
#include "server/optimizer/schedule.h"
#include "server/optimizer/sgd.h"

namespace seraph {
namespace {

// Rates that suit most uses of the optimizer; the papers' where they name one.
constexpr double kUsualRate = 0.1;
constexpr double kAdaptiveRate = 0.001;
constexpr double kUsualEpsilon = 1e-10;
constexpr double kAdaptiveEpsilon = 1e-8;

struct Entry {
  const char* name;
  absl::StatusOr<std::unique_ptr<Optimizer>> (*create)(const OptimizerSpec& spec);
  double learning_rate;  // By default.
  double epsilon;        // By default.
  absl::string_view parameters[6];
};

constexpr Entry kOptimizers[] = {
    // Sorted by name.
    {"adagrad",
     NewAdaGrad,
     kUsualRate,
     kUsualEpsilon,
     {"learning_rate", "l1", "l2", "initial_accumulator", "epsilon"}},
    {"adam",
     NewAdam,
     kAdaptiveRate,
     kAdaptiveEpsilon,
     {"learning_rate", "l1", "l2", "beta1", "beta2", "epsilon"}},
    {"adamw",
     NewAdamW,
     kAdaptiveRate,
     kAdaptiveEpsilon,
     {"learning_rate", "l1", "weight_decay", "beta1", "beta2", "epsilon"}},
    {"ftrl",
     NewFtrl,
     kUsualRate,
     kUsualEpsilon,
     {"learning_rate", "l1", "l2", "initial_accumulator", "beta"}},
    {"momentum", NewMomentum, kUsualRate, kUsualEpsilon, {"learning_rate", "l1", "l2", "momentum"}},
    {"rmsprop",
     NewRmsProp,
     kAdaptiveRate,
     kAdaptiveEpsilon,
     {"learning_rate", "l1", "l2", "rho", "epsilon"}},
    {"rowwise_adagrad",
     NewRowwiseAdaGrad,
     kUsualRate,
     kUsualEpsilon,
     {"learning_rate", "l1", "l2", "initial_accumulator", "epsilon"}},
    {"sgd", NewSgd, kUsualRate, kUsualEpsilon, {"learning_rate", "l1", "l2"}},
};

const Entry* Find(absl::string_view type) {
  for (const Entry& entry : kOptimizers) {
    if (type == entry.name) return &entry;
  }
  return nullptr;
}

}  // namespace

absl::StatusOr<std::unique_ptr<Optimizer>> NewOptimizer(const OptimizerSpec& spec) {
  if (const Entry* entry = Find(spec.type); entry != nullptr) {
    RETURN_IF_ERROR(CheckSchedule(spec.type, spec.schedule));
    return entry->create(spec);
  }
  const std::vector<std::string> names = OptimizerNames();
  const std::string nearest = NearestName(spec.type, names);
  return absl::InvalidArgumentError(
      absl::StrCat("no optimizer \"", spec.type, "\"",
                   nearest.empty() ? absl::StrCat("; there are ", absl::StrJoin(names, ", "))
                                   : absl::StrCat("; did you mean \"", nearest, "\"?")));
}

bool OptimizerHasParameter(const std::string& type, const std::string& name) {
  const Entry* entry = Find(type);
  if (entry == nullptr || name.empty()) return false;
  const auto& parameters = entry->parameters;
  return std::find(std::begin(parameters), std::end(parameters), name) != std::end(parameters);
}

OptimizerSpec OptimizerDefaults(const std::string& type) {
  OptimizerSpec spec;
  spec.type = type;
  if (const Entry* entry = Find(type); entry != nullptr) {
    spec.learning_rate = entry->learning_rate;
    spec.epsilon = entry->epsilon;
  }
  return spec;
}

std::vector<std::string> OptimizerNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kOptimizers) names.push_back(entry.name);
  return names;
}

}  // namespace seraph
