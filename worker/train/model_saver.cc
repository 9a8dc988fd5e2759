// SPDX-License-Identifier: Apache-2.0
#include "worker/train/model_saver.h"

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

absl::Status FillStaging(Client* client, absl::Span<const Table> tables, const std::string& staging,
                         v1::ModelManifest* manifest) {
  for (const Table& table : tables) {
    ASSIGN_OR_RETURN(const v1::SaveTableReply saved, client->SaveTable(table, staging));
    v1::SavedTable* out = manifest->add_tables();
    *out->mutable_spec() = ToProto(table.spec());
    out->set_state_width(saved.state_width());
    *out->mutable_partitions() = saved.partitions();
  }
  return absl::OkStatus();
}

absl::Status SaveError(absl::Status status, const std::string& folder) {
  // A full disk is not a server short of memory: nothing comes of waiting.
  if (absl::IsResourceExhausted(status)) {
    status = absl::FailedPreconditionError(status.message());
  }
  return Annotate(status, absl::StrCat("save model ", folder));
}

}  // namespace

const v1::SavedTable* FindSavedTable(const v1::ModelManifest& manifest, const std::string& name) {
  for (const v1::SavedTable& table : manifest.tables()) {
    if (table.spec().name() == name) return &table;
  }
  return nullptr;
}

absl::Status SaveModel(FileSystem* fs, Client* client, absl::Span<const Table> tables,
                       const std::string& folder, v1::ModelManifest manifest) {
  ASSIGN_OR_RETURN(const std::unique_ptr<KeptModel> kept,
                   KeptModel::Write(fs, client, tables, folder, std::move(manifest)));
  return kept->Publish();
}

absl::StatusOr<std::unique_ptr<KeptModel>> KeptModel::Write(FileSystem* fs, Client* client,
                                                            absl::Span<const Table> tables,
                                                            const std::string& folder,
                                                            v1::ModelManifest manifest) {
  RETURN_IF_ERROR(CheckModelTarget(fs, folder));
  ASSIGN_OR_RETURN(std::string staging, CreateStaging(fs, folder));
  std::unique_ptr<KeptModel> kept(
      new KeptModel(fs, folder, std::move(staging), std::move(manifest)));
  RETURN_IF_ERROR(SaveError(FillStaging(client, tables, kept->staging_, &kept->manifest_), folder));
  return kept;
}

KeptModel::KeptModel(FileSystem* fs, std::string folder, std::string staging,
                     v1::ModelManifest manifest)
    : fs_(fs),
      folder_(std::move(folder)),
      staging_(std::move(staging)),
      manifest_(std::move(manifest)) {}

KeptModel::~KeptModel() {
  // Best effort: the error that led here is the one to report.
  if (!staging_.empty()) fs_->RemoveTree(staging_).IgnoreError();
}

absl::Status KeptModel::Publish() {
  RETURN_IF_ERROR(SaveError(PublishModel(fs_, staging_, folder_, manifest_), folder_));
  staging_.clear();
  return absl::OkStatus();
}

absl::Status ContinueTable(const v1::ModelManifest& saved, const v1::JobSpec& job,
                           TableSpec* spec) {
  const auto refuse = [&](absl::string_view what) {
    return absl::FailedPreconditionError(
        absl::StrCat("start from ", job.train().start_from(), ": ", what));
  };
  if (saved.job().model().type() != job.model().type()) {
    return refuse(absl::StrCat("it is a model of type ", saved.job().model().type(),
                               ", the job's is ", job.model().type()));
  }
  const v1::SavedTable* table = FindSavedTable(saved, spec->name);
  if (table == nullptr) return refuse(absl::StrCat("it has no table ", spec->name));
  ASSIGN_OR_RETURN(const TableSpec old, FromProto(table->spec()));
  if (old.dim != spec->dim) {
    return refuse(
        absl::StrCat("table ", spec->name, " has dim ", old.dim, ", the job's has ", spec->dim));
  }
  if (old.optimizer.type != spec->optimizer.type) {
    return refuse(absl::StrCat("table ", spec->name, " carries the state of ", old.optimizer.type,
                               ", the job's optimizer is ", spec->optimizer.type));
  }
  // Rows that were never written are not in the files: their values come from the old seed and
  // initialiser.
  spec->seed = old.seed;
  spec->initializer = old.initializer;
  spec->partitions = old.partitions;
  if (!spec->optimizer.schedule.constant()) spec->optimizer.schedule.first_step = saved.steps();
  return absl::OkStatus();
}

absl::Status LoadModelTables(Client* client, absl::Span<const Table> tables,
                             const std::string& folder, const v1::ModelManifest& manifest) {
  for (const Table& table : tables) {
    const v1::SavedTable* saved = FindSavedTable(manifest, table.spec().name);
    if (saved == nullptr) {
      return absl::FailedPreconditionError(
          absl::StrCat("model ", folder, " has no table ", table.spec().name));
    }
    const std::vector<v1::SavedPartition> partitions(saved->partitions().begin(),
                                                     saved->partitions().end());
    RETURN_IF_ERROR(client->LoadTable(table, folder, partitions));
  }
  return absl::OkStatus();
}

}  // namespace seraph
