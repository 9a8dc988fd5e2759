// SPDX-License-Identifier: Apache-2.0
#include "client/cli/model_scorer.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/cluster/local_cluster.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"
#include "transport/table_spec_codec.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/model/registry.h"
#include "worker/train/job_plan.h"
#include "worker/train/model_saver.h"

namespace seraph {
namespace {

constexpr char kGroup[] = "model";
// Of one call. Loading a large model from a slow disk is one call a table.
constexpr absl::Duration kDeadline = absl::Minutes(10);

// The spec that the table was saved with, if it is one that the model can read.
absl::StatusOr<TableSpec> SavedSpec(const v1::ModelManifest& manifest, const ModelTable& table) {
  const v1::SavedTable* saved = FindSavedTable(manifest, table.name);
  if (saved == nullptr) {
    return absl::DataLossError(absl::StrCat("MANIFEST: has no table ", table.name));
  }
  ASSIGN_OR_RETURN(TableSpec spec, FromProto(saved->spec()));
  if (spec.dim != table.dim || spec.kind != table.kind || spec.rows != table.rows) {
    return absl::DataLossError(
        absl::StrCat("MANIFEST: table ", table.name, " has not the shape of its model"));
  }
  return spec;
}

}  // namespace

absl::StatusOr<std::unique_ptr<ModelScorer>> ModelScorer::Open(FileSystem* files, Clock* clock,
                                                               const std::string& folder) {
  std::unique_ptr<ModelScorer> scorer;
  RETURN_IF_ERROR(RetryIfReplaced(*files, folder, [&] {
    absl::StatusOr<std::unique_ptr<ModelScorer>> opened = OpenOnce(files, clock, folder);
    if (opened.ok()) scorer = *std::move(opened);
    return opened.status();
  }));
  return scorer;
}

absl::StatusOr<std::unique_ptr<ModelScorer>> ModelScorer::OpenOnce(FileSystem* files, Clock* clock,
                                                                   const std::string& folder) {
  std::unique_ptr<ModelScorer> scorer(new ModelScorer);
  ASSIGN_OR_RETURN(scorer->manifest_, ReadManifest(*files, folder));
  ASSIGN_OR_RETURN(scorer->model_, NewModel(ModelOptionsOf(scorer->manifest_.job())));
  ASSIGN_OR_RETURN(scorer->cluster_, StartLocalCluster({.size = {.servers = 1, .workers = 0},
                                                        .clock = clock,
                                                        .file_system = files}));
  ASSIGN_OR_RETURN(scorer->client_, Client::Connect({.network = scorer->cluster_->network(),
                                                     .clock = clock,
                                                     .scheduler = scorer->cluster_->scheduler(),
                                                     .group = kGroup,
                                                     .deadline = kDeadline}));
  RETURN_IF_ERROR(scorer->OpenTables(folder));
  return scorer;
}

absl::Status ModelScorer::OpenTables(const std::string& folder) {
  std::vector<Table> tables;
  for (const ModelTable& table : model_->tables()) {
    absl::StatusOr<TableSpec> spec = SavedSpec(manifest_, table);
    if (!spec.ok()) return Annotate(spec.status(), folder);
    ASSIGN_OR_RETURN(Table opened, client_->OpenOrCreateTable(*spec));
    tables.push_back(std::move(opened));
  }
  RETURN_IF_ERROR(LoadModelTables(client_.get(), tables, folder, manifest_));
  backend_ = NewCpuBackend();
  stepper_ = std::make_unique<Stepper>(model_.get(), backend_.get(), client_.get(), tables);
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const float>> ModelScorer::Score(const Batch& batch) {
  return stepper_->Score(batch);
}

}  // namespace seraph
