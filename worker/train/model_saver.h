// SPDX-License-Identifier: Apache-2.0
// Saves the tables of a group as a model folder, and brings a saved model's rows back into tables.
#ifndef SERAPH_WORKER_TRAIN_MODEL_SAVER_H_
#define SERAPH_WORKER_TRAIN_MODEL_SAVER_H_

#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/client.h"
#include "common/file_system.h"
#include "common/table_spec.h"
#include "proto/model.pb.h"

namespace seraph {

// Has every server write its partitions into a staging folder, then publishes. `manifest` comes
// with job, epochs and steps; tables and version are filled in here. Nobody pushes meanwhile. After
// an error `folder` is as it was.
absl::Status SaveModel(FileSystem* fs, Client* client, absl::Span<const Table> tables,
                       const std::string& folder, v1::ModelManifest manifest);

// A model that is written and not yet in its place: the first half of SaveModel, and the second.
// Not thread-safe. Removes what it wrote and did not publish.
class KeptModel {
 public:
  // Errors as of SaveModel, after which nothing is kept.
  static absl::StatusOr<std::unique_ptr<KeptModel>> Write(FileSystem* fs, Client* client,
                                                          absl::Span<const Table> tables,
                                                          const std::string& folder,
                                                          v1::ModelManifest manifest);
  ~KeptModel();
  KeptModel(const KeptModel&) = delete;
  KeptModel& operator=(const KeptModel&) = delete;

  // Puts it in the place of `folder`. After an error `folder` is as it was. Once only.
  absl::Status Publish();

 private:
  KeptModel(FileSystem* fs, std::string folder, std::string staging, v1::ModelManifest manifest);

  FileSystem* const fs_;
  const std::string folder_;
  std::string staging_;  // Empty once it is published.
  v1::ModelManifest manifest_;
};

// The saved table of that name; null when there is none. Lives in `manifest`.
const v1::SavedTable* FindSavedTable(const v1::ModelManifest& manifest, const std::string& name);

// Makes `spec` that of the saved table that it goes on from: takes over its partitions, and its
// seed and initialiser, from which rows that were never written have their values. A schedule goes
// on after the steps that the saved model has taken.
// FAILED_PRECONDITION names what does not fit: model types, a table that is not there, dim or
// optimizer that differ.
absl::Status ContinueTable(const v1::ModelManifest& saved, const v1::JobSpec& job, TableSpec* spec);

// Loads each table's partitions from `folder` into the servers.
absl::Status LoadModelTables(Client* client, absl::Span<const Table> tables,
                             const std::string& folder, const v1::ModelManifest& manifest);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_MODEL_SAVER_H_
