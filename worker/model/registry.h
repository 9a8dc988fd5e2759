// SPDX-License-Identifier: Apache-2.0
// The models that are compiled in.
#ifndef SERAPH_WORKER_MODEL_REGISTRY_H_
#define SERAPH_WORKER_MODEL_REGISTRY_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "common/table_spec.h"
#include "worker/model/model.h"

namespace seraph {

// Of softmax: a row of its tables has a float for each.
inline constexpr uint32_t kMaxClasses = kMaxTableDim;

// INVALID_ARGUMENT: an unknown type (with the nearest name), factors outside 1..4096, classes
// outside 2..4096, a negative or non-finite scale, an unknown loss, a delta that is not above 0.
absl::StatusOr<std::unique_ptr<Model>> NewModel(const Model::Options& options);

// Hyperparameters that suit a model when a job states only its type.
struct ModelDefaults {
  std::string optimizer;
  double learning_rate = 0;
  double initial_accumulator = 0;
  double l2 = 0;
  uint32_t factors = 8;
  double init_scale = 0.05;
};
absl::StatusOr<ModelDefaults> DefaultsOf(const std::string& type);

std::vector<std::string> ModelNames();           // Sorted.
bool ModelNeedsFields(const std::string& type);  // As NeedsFields says of a model of the type.
std::vector<std::string> SvmLosses();  // What Model::Options::loss may be; the default first.

// Whether a field of Model::Options means something to the type; `bias` does to all.
bool ModelHasParameter(const std::string& type, absl::string_view parameter);
// Those to which it does. Sorted.
std::vector<std::string> ModelsWithParameter(absl::string_view parameter);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_REGISTRY_H_
