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

// Used by a number of threads at a time: each has its model and its buffers, all read one copy of
// the tables.
class ModelScorer {
 public:
  struct Options {
    FileSystem* files = nullptr;  // Required; outlives the scorer, like the clock.
    Clock* clock = nullptr;       // Required.
    std::string folder;           // Of the model.
    int threads = 1;              // At least 1.
  };

  // Loads the model. NOT_FOUND no model there; DATA_LOSS a damaged file, named; FAILED_PRECONDITION
  // another format version.
  static absl::StatusOr<std::unique_ptr<ModelScorer>> Open(const Options& options);

  const v1::ModelManifest& manifest() const { return manifest_; }
  Clock* clock() const { return options_.clock; }
  int threads() const { return options_.threads; }
  // That of thread 0..threads-1, as the margins are.
  const Model& model(int thread = 0) const { return *seats_[static_cast<size_t>(thread)].model; }

  // The margins of the batch's rows, valid until the thread's next call.
  absl::StatusOr<absl::Span<const float>> Score(int thread, const Batch& batch);

 private:
  struct Seat {
    std::unique_ptr<Model> model;
    std::unique_ptr<Backend> backend;
    std::unique_ptr<Stepper> stepper;
  };

  static absl::StatusOr<std::unique_ptr<ModelScorer>> OpenOnce(const Options& options);
  explicit ModelScorer(const Options& options) : options_(options) {}
  absl::Status StartServer();
  absl::Status OpenTables();

  const Options options_;
  v1::ModelManifest manifest_;
  // Destroyed from the last to the first.
  std::unique_ptr<Cluster> cluster_;
  std::unique_ptr<Client> client_;
  std::vector<Seat> seats_;  // By thread.
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_MODEL_SCORER_H_
