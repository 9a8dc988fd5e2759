// SPDX-License-Identifier: Apache-2.0
// A new model adds a line to kModels.
#include "worker/model/registry.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/nearest_name.h"
#include "common/table_spec.h"
#include "worker/model/ffm.h"
#include "worker/model/fm.h"
#include "worker/model/huber.h"
#include "worker/model/linear.h"
#include "worker/model/lr.h"
#include "worker/model/poisson.h"
#include "worker/model/softmax.h"
#include "worker/model/svm.h"

namespace seraph {
namespace {

constexpr uint32_t kMaxFactors = 4096;

struct Entry {
  const char* name;
  std::unique_ptr<Model> (*create)(const Model::Options& options);
  ModelDefaults defaults;
  std::vector<std::string> parameters = {};  // Of Model::Options, beside type and bias.
};

// Tried on unscaled one-hot, sparse and real-valued data with the default batch size and epochs.
// The small initial accumulator keeps a feature that was seen once from moving as far as one that
// was seen often.
const Entry kModels[] = {
    {"ffm",
     NewFieldAwareFactorizationMachineModel,
     {.optimizer = "adagrad",
      .learning_rate = 0.1,
      .initial_accumulator = 1e-6,
      .l2 = 1e-4,
      .factors = 4,
      .init_scale = 0.1},
     {"factors", "init_scale"}},
    {"fm",
     NewFactorizationMachineModel,
     {.optimizer = "adagrad", .learning_rate = 0.1, .initial_accumulator = 1e-6, .l2 = 1e-4},
     {"factors", "init_scale"}},
    {"huber",
     NewHuberModel,
     {.optimizer = "adagrad", .learning_rate = 1.0, .initial_accumulator = 1e-6},
     {"delta"}},
    {"linear",
     NewLinearModel,
     {.optimizer = "adagrad", .learning_rate = 1.0, .initial_accumulator = 1e-6}},
    {"lr",
     NewLogisticRegressionModel,
     {.optimizer = "adagrad", .learning_rate = 0.3, .initial_accumulator = 1e-6}},
    {"poisson",
     NewPoissonModel,
     {.optimizer = "adagrad", .learning_rate = 0.3, .initial_accumulator = 1e-6}},
    {"softmax",
     NewSoftmaxModel,
     {.optimizer = "adagrad", .learning_rate = 0.3, .initial_accumulator = 1e-6},
     {"classes"}},
    {"svm",
     NewSvmModel,
     {.optimizer = "adagrad", .learning_rate = 0.3, .initial_accumulator = 1e-6},
     {"loss"}},
};

bool Has(const Entry& entry, absl::string_view parameter) {
  return std::find(entry.parameters.begin(), entry.parameters.end(), parameter) !=
         entry.parameters.end();
}

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
  if (options.classes < 2 || options.classes > kMaxClasses) {
    return absl::InvalidArgumentError(
        absl::StrCat("model.classes is ", options.classes, ", must be 2 to ", kMaxClasses));
  }
  if (!std::isfinite(options.init_scale) || options.init_scale < 0) {
    return absl::InvalidArgumentError(absl::StrCat("model.init_scale is ", options.init_scale,
                                                   ", must be a finite number of at least 0"));
  }
  const std::vector<std::string> losses = SvmLosses();
  if (std::find(losses.begin(), losses.end(), options.loss) == losses.end()) {
    return absl::InvalidArgumentError(absl::StrCat("model.loss is \"", options.loss, "\", must be ",
                                                   absl::StrJoin(losses, " or ")));
  }
  const float delta = static_cast<float>(options.delta);  // As gradients are.
  if (!std::isfinite(delta) || delta < std::numeric_limits<float>::min()) {
    return absl::InvalidArgumentError(
        absl::StrCat("model.delta is ", options.delta, ", must be a finite number above 0"));
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

bool ModelNeedsFields(const std::string& type) {
  const absl::StatusOr<const Entry*> entry = Find(type);
  return entry.ok() && NeedsFields(*(*entry)->create(Model::Options()));
}

std::vector<std::string> SvmLosses() { return {"hinge", "squared_hinge"}; }

bool ModelHasParameter(const std::string& type, absl::string_view parameter) {
  const absl::StatusOr<const Entry*> entry = Find(type);
  return entry.ok() && Has(**entry, parameter);
}

std::vector<std::string> ModelsWithParameter(absl::string_view parameter) {
  std::vector<std::string> names;
  for (const Entry& entry : kModels) {
    if (Has(entry, parameter)) names.push_back(entry.name);
  }
  return names;
}

}  // namespace seraph
