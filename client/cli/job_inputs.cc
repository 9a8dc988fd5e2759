// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job_inputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"
#include "worker/model/registry.h"
#include "worker/train/job_plan.h"
#include "worker/train/model_saver.h"

namespace seraph {
namespace {

absl::Status CheckReadable(const std::string& path) {
  struct stat info;
  if (access(path.c_str(), R_OK) != 0 || stat(path.c_str(), &info) != 0) {
    return absl::PermissionDeniedError(absl::StrCat("data file ", path, " cannot be read"));
  }
  if (S_ISREG(info.st_mode) && info.st_size == 0) {
    return absl::InvalidArgumentError(absl::StrCat("data file ", path, " is empty"));
  }
  return absl::OkStatus();
}

// The model goes on only where every table of the job does.
absl::Status CheckStartFrom(const FileSystem& files, const v1::JobSpec& job) {
  const std::string& folder = job.train().start_from();
  ASSIGN_OR_RETURN(const v1::ModelManifest manifest, ReadManifest(files, folder));
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, NewModel(ModelOptionsOf(job)));
  for (const ModelTable& table : model->tables()) {
    TableSpec spec = TableSpecOf(job, table);
    RETURN_IF_ERROR(ContinueTable(manifest, job, &spec));
  }
  if (manifest.tables_size() > static_cast<int>(model->tables().size())) {
    return absl::FailedPreconditionError(
        absl::StrCat("model ", folder, " has tables that the job's model has not"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<std::vector<DataFile>> FilesOf(
    const std::string& key, const google::protobuf::RepeatedPtrField<v1::DataPath>& entries) {
  std::vector<DataFile> all;
  for (int i = 0; i < entries.size(); ++i) {
    const std::string context = absl::StrCat(key, "[", i, "]");
    RowFormat::Options format;
    format.format = entries[i].format();
    format.index_base = entries[i].index_base();
    absl::StatusOr<std::vector<DataFile>> files = ExpandPath(entries[i].path(), format);
    if (!files.ok()) return Annotate(files.status(), context);
    for (const DataFile& file : *files) {
      RETURN_IF_ERROR(Annotate(CheckReadable(file.path), context));
    }
    std::move(files->begin(), files->end(), std::back_inserter(all));
  }
  return all;
}

absl::Status CheckJobInputs(FileSystem* files, const v1::JobSpec& job) {
  RETURN_IF_ERROR(FilesOf("data.train", job.data().train()).status());
  RETURN_IF_ERROR(FilesOf("data.test", job.data().test()).status());
  if (job.train().has_start_from()) {
    RETURN_IF_ERROR(Annotate(CheckStartFrom(*files, job), "train.start_from"));
  }
  if (!job.output().model().empty()) {
    const absl::Status target = CheckModelTarget(files, job.output().model());
    // Whatever the disk says (full, read-only): the place was the request's mistake.
    if (!target.ok()) {
      return absl::InvalidArgumentError(absl::StrCat("output.model: ", target.message()));
    }
  }
  return absl::OkStatus();
}

}  // namespace seraph
