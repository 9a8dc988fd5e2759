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

absl::StatusOr<std::unique_ptr<ModelScorer>> ModelScorer::Open(const Options& options) {
  std::unique_ptr<ModelScorer> scorer;
  RETURN_IF_ERROR(RetryIfReplaced(*options.files, options.folder, [&] {
    absl::StatusOr<std::unique_ptr<ModelScorer>> opened = OpenOnce(options);
    if (opened.ok()) scorer = *std::move(opened);
    return opened.status();
  }));
  return scorer;
}

absl::StatusOr<std::unique_ptr<ModelScorer>> ModelScorer::OpenOnce(const Options& options) {
  std::unique_ptr<ModelScorer> scorer(new ModelScorer(options));
  ASSIGN_OR_RETURN(scorer->manifest_, ReadManifest(*options.files, options.folder));
  for (int i = 0; i < options.threads; ++i) {
    Seat& seat = scorer->seats_.emplace_back();
    ASSIGN_OR_RETURN(seat.model, NewModel(ModelOptionsOf(scorer->manifest_.job())));
    seat.backend = NewCpuBackend();
  }
  RETURN_IF_ERROR(scorer->StartServer());
  RETURN_IF_ERROR(scorer->OpenTables());
  return scorer;
}

// Looking up rows takes a part of what parsing them takes: half as many threads keep pace.
absl::Status ModelScorer::StartServer() {
  ASSIGN_OR_RETURN(cluster_, StartLocalCluster({.size = {.servers = 1, .workers = 0},
                                                .executors = (options_.threads + 1) / 2,
                                                .clock = options_.clock,
                                                .file_system = options_.files}));
  ASSIGN_OR_RETURN(client_, Client::Connect({.network = cluster_->network(),
                                             .clock = options_.clock,
                                             .scheduler = cluster_->scheduler(),
                                             .group = kGroup,
                                             .deadline = kDeadline}));
  return absl::OkStatus();
}

absl::Status ModelScorer::OpenTables() {
  std::vector<Table> tables;
  for (const ModelTable& table : model().tables()) {
    absl::StatusOr<TableSpec> spec = SavedSpec(manifest_, table);
    if (!spec.ok()) return Annotate(spec.status(), options_.folder);
    ASSIGN_OR_RETURN(Table opened, client_->OpenOrCreateTable(*spec));
    tables.push_back(std::move(opened));
  }
  RETURN_IF_ERROR(LoadModelTables(client_.get(), tables, options_.folder, manifest_));
  for (Seat& seat : seats_) {
    seat.stepper =
        std::make_unique<Stepper>(seat.model.get(), seat.backend.get(), client_.get(), tables);
  }
  return absl::OkStatus();
}

absl::StatusOr<absl::Span<const float>> ModelScorer::Score(int thread, const Batch& batch) {
  return seats_[static_cast<size_t>(thread)].stepper->Score(batch);
}

}  // namespace seraph
