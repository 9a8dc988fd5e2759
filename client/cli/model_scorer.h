// SPDX-License-Identifier: Apache-2.0
// Scores rows with a saved model: its tables are loaded into a server within this process, and read
// through the client like those of a cluster.
#ifndef SERAPH_CLIENT_CLI_MODEL_SCORER_H_
#define SERAPH_CLIENT_CLI_MODEL_SCORER_H_

#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/cli/cluster/cluster.h"
#include "client/client.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "proto/model.pb.h"
#include "worker/compute/backend.h"
#include "worker/data/batch.h"
#include "worker/model/model.h"
#include "worker/train/stepper.h"

namespace seraph {

// Not thread-safe.
class ModelScorer {
 public:
  // Loads the model. NOT_FOUND no model there; DATA_LOSS a damaged file, named; FAILED_PRECONDITION
  // another format version. `files` and `clock` outlive the scorer.
  static absl::StatusOr<std::unique_ptr<ModelScorer>> Open(FileSystem* files, Clock* clock,
                                                           const std::string& folder);

  const v1::ModelManifest& manifest() const { return manifest_; }
  const Model& model() const { return *model_; }

  // The margins of the batch's rows, valid until the next call.
  absl::StatusOr<absl::Span<const float>> Score(const Batch& batch);

 private:
  static absl::StatusOr<std::unique_ptr<ModelScorer>> OpenOnce(FileSystem* files, Clock* clock,
                                                               const std::string& folder);
  ModelScorer() = default;
  absl::Status OpenTables(const std::string& folder);

  v1::ModelManifest manifest_;
  // Destroyed from the last to the first.
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<Model> model_;
  std::unique_ptr<Backend> backend_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_MODEL_SCORER_H_
