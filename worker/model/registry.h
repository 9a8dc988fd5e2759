// SPDX-License-Identifier: Apache-2.0
// The models that are compiled in.
#ifndef SERAPH_WORKER_MODEL_REGISTRY_H_
#define SERAPH_WORKER_MODEL_REGISTRY_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/model/model.h"

namespace seraph {

// INVALID_ARGUMENT: an unknown type (with the nearest name), factors outside 1..4096, a negative or
// non-finite scale.
absl::StatusOr<std::unique_ptr<Model>> NewModel(const Model::Options& options);

// Hyperparameters that suit a model when a job states only its type.
struct ModelDefaults {
  std::string optimizer;
  double learning_rate;
  double initial_accumulator;
  double l2;
};
absl::StatusOr<ModelDefaults> DefaultsOf(const std::string& type);

std::vector<std::string> ModelNames();  // Sorted.

// Those that have factors: `factors` and `init_scale` of Model::Options mean nothing to others.
// Sorted.
std::vector<std::string> ModelsWithFactors();

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_REGISTRY_H_
