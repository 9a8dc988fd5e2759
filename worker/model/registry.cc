// SPDX-License-Identifier: Apache-2.0
// A new model adds a line to kModels.
#include "worker/model/registry.h"

#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/nearest_name.h"
#include "worker/model/fm.h"
#include "worker/model/linear.h"
#include "worker/model/lr.h"

namespace seraph {
namespace {

constexpr uint32_t kMaxFactors = 4096;

struct Entry {
  const char* name;
  std::unique_ptr<Model> (*create)(const Model::Options& options);
  ModelDefaults defaults;
  bool has_factors = false;
};

// Tried on unscaled one-hot, sparse and real-valued data with the default batch size and epochs.
// The small initial accumulator keeps a feature that was seen once from moving as far as one that
// was seen often.
const Entry kModels[] = {
    {"fm", NewFactorizationMachineModel, {"adagrad", 0.1, 1e-6, 1e-4}, true},
    {"linear", NewLinearModel, {"adagrad", 1.0, 1e-6, 0.0}},
    {"lr", NewLogisticRegressionModel, {"adagrad", 0.3, 1e-6, 0.0}},
};

absl::StatusOr<const Entry*> Find(const std::string& type) {
  for (const Entry& entry : kModels) {
    if (type == entry.name) return &entry;
  }
  const std::vector<std::string> names = ModelNames();
  const std::string nearest = NearestName(type, names);
  return absl::InvalidArgumentError(
      absl::StrCat("unknown model type \"", type, "\"",
                   nearest.empty() ? absl::StrCat(", types are ", absl::StrJoin(names, ", "))
                                   : absl::StrCat(", did you mean ", nearest, "?")));
}

}  // namespace

absl::StatusOr<std::unique_ptr<Model>> NewModel(const Model::Options& options) {
  absl::StatusOr<const Entry*> entry = Find(options.type);
  if (!entry.ok()) return entry.status();
  if (options.factors < 1 || options.factors > kMaxFactors) {
    return absl::InvalidArgumentError(
        absl::StrCat("model.factors is ", options.factors, ", must be 1 to ", kMaxFactors));
  }
  if (!std::isfinite(options.init_scale) || options.init_scale < 0) {
    return absl::InvalidArgumentError(absl::StrCat("model.init_scale is ", options.init_scale,
                                                   ", must be a finite number of at least 0"));
  }
  return (*entry)->create(options);
}

absl::StatusOr<ModelDefaults> DefaultsOf(const std::string& type) {
  absl::StatusOr<const Entry*> entry = Find(type);
  if (!entry.ok()) return entry.status();
  return (*entry)->defaults;
}

std::vector<std::string> ModelNames() {
  std::vector<std::string> names;
  for (const Entry& entry : kModels) names.push_back(entry.name);
  return names;
}

std::vector<std::string> ModelsWithFactors() {
  std::vector<std::string> names;
  for (const Entry& entry : kModels) {
    if (entry.has_factors) names.push_back(entry.name);
  }
  return names;
}

}  // namespace seraph
