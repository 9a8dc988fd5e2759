// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job_inputs.h"

#include <sys/stat.h>
#include <unistd.h>

#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/job/scalar_text.h"
#include "common/status_macros.h"
#include "server/checkpoint/model_folder.h"
#include "worker/data/header.h"
#include "worker/model/registry.h"
#include "worker/train/data_entry.h"
#include "worker/train/job_plan.h"
#include "worker/train/model_saver.h"

namespace seraph {
namespace {

// `kind` is "data" or "weights".
absl::Status CheckReadable(const char* kind, const std::string& path) {
  struct stat info;
  if (access(path.c_str(), R_OK) != 0 || stat(path.c_str(), &info) != 0) {
    return absl::PermissionDeniedError(absl::StrCat(kind, " file ", path, " cannot be read"));
  }
  if (S_ISREG(info.st_mode) && info.st_size == 0) {
    return absl::InvalidArgumentError(absl::StrCat(kind, " file ", path, " is empty"));
  }
  return absl::OkStatus();
}

// The model goes on only where every table of the job does.
absl::Status CheckStartFrom(const FileSystem& files, const v1::JobSpec& job) {
  const std::string& folder = job.train().start_from();
  ASSIGN_OR_RETURN(const v1::ModelManifest manifest, ReadManifest(files, folder));
  RETURN_IF_ERROR(CheckSameKeys(manifest.job(), job));
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, NewModel(ModelOptionsOf(job)));
  for (const ModelTable& table : model->tables()) {
    ASSIGN_OR_RETURN(TableSpec spec, TableSpecOf(job, table));
    RETURN_IF_ERROR(ContinueTable(manifest, job, &spec));
  }
  if (manifest.tables_size() > static_cast<int>(model->tables().size())) {
    return absl::FailedPreconditionError(
        absl::StrCat("model ", folder, " has tables that the job's model has not"));
  }
  return absl::OkStatus();
}

// Errors begin with the entry's key ("data.train[0]: ...") and name the file.
absl::Status CheckFiles(const std::string& key, const v1::DataSpec& data,
                        const google::protobuf::RepeatedPtrField<v1::DataPath>& entries) {
  for (int i = 0; i < entries.size(); ++i) {
    const std::string place = absl::StrCat(key, "[", i, "]");
    RETURN_IF_ERROR(
        Annotate(ExpandReadable(entries[i].path(), FormatOf(data, entries[i])).status(), place));
    if (!entries[i].has_weights()) continue;
    const bool own = entries[i].weights() != data.weights();
    RETURN_IF_ERROR(Annotate(CheckReadable("weights", entries[i].weights()),
                             own ? place + ".weights" : "data.weights"));
  }
  return absl::OkStatus();
}

// The names in the header of the entry's first file.
absl::StatusOr<std::vector<std::string>> NamesOf(const v1::DataSpec& data,
                                                 const v1::DataPath& entry) {
  ASSIGN_OR_RETURN(const std::vector<DataFile> files,
                   ExpandPath(entry.path(), FormatOf(data, entry)));
  ASSIGN_OR_RETURN(std::vector<std::string> names, ReadHeader(files.front()));
  for (const std::string& name : names) {
    if (IsUtf8(name)) continue;
    return absl::InvalidArgumentError(
        absl::StrCat("the header of ", files.front().path, " is not UTF-8: ", Quoted(name)));
  }
  return names;
}

// Of the columns that the model to start from counts; empty where it counts none by name.
absl::StatusOr<std::vector<std::string>> NamesOfStart(const FileSystem& files,
                                                      const v1::JobSpec& job) {
  if (job.train().start_from().empty()) return std::vector<std::string>();
  ASSIGN_OR_RETURN(const v1::ModelManifest manifest, ReadManifest(files, job.train().start_from()));
  for (const v1::DataPath& entry : manifest.job().data().train()) {
    const auto& names = entry.columns().names();
    if (!names.empty()) return std::vector<std::string>(names.begin(), names.end());
  }
  return std::vector<std::string>();
}

absl::Status NameColumns(const std::string& key, const std::vector<std::string>& names,
                         const v1::DataSpec& data, v1::DataPath* entry) {
  if (!entry->header()) return absl::OkStatus();
  if (entry->columns().names().empty()) {
    *entry->mutable_columns()->mutable_names() = {names.begin(), names.end()};
  }
  return Annotate(NewRowFormat(FormatOf(data, *entry)).status(), key + ".columns");
}

}  // namespace

absl::StatusOr<std::vector<DataFile>> ExpandReadable(const std::string& path,
                                                     const RowFormat::Options& format) {
  ASSIGN_OR_RETURN(std::vector<DataFile> files, ExpandPath(path, format));
  for (const DataFile& file : files) RETURN_IF_ERROR(CheckReadable("data", file.path));
  return files;
}

absl::Status NameColumns(FileSystem* files, v1::JobSpec* job) {
  v1::DataSpec* const data = job->mutable_data();
  std::vector<std::string> names = {data->columns().names().begin(), data->columns().names().end()};
  ASSIGN_OR_RETURN(const std::vector<std::string> kept, NamesOfStart(*files, *job));
  if (!kept.empty() && !names.empty() && names != kept) {
    return absl::FailedPreconditionError(
        "data.columns.names: are not those of the model that train.start_from names, whose keys "
        "count columns by its own");
  }
  if (names.empty()) names = kept;
  for (int i = 0; i < data->train_size() && names.empty(); ++i) {
    if (!data->train(i).header()) continue;
    absl::StatusOr<std::vector<std::string>> found = NamesOf(*data, data->train(i));
    if (!found.ok()) return Annotate(found.status(), absl::StrCat("data.train[", i, "]"));
    names = *std::move(found);
  }
  if (names.empty()) return absl::OkStatus();
  for (int i = 0; i < data->train_size(); ++i) {
    RETURN_IF_ERROR(
        NameColumns(absl::StrCat("data.train[", i, "]"), names, *data, data->mutable_train(i)));
  }
  for (int i = 0; i < data->test_size(); ++i) {
    RETURN_IF_ERROR(
        NameColumns(absl::StrCat("data.test[", i, "]"), names, *data, data->mutable_test(i)));
  }
  return absl::OkStatus();
}

absl::Status CheckJobInputs(FileSystem* files, const v1::JobSpec& job) {
  RETURN_IF_ERROR(CheckFiles("data.train", job.data(), job.data().train()));
  RETURN_IF_ERROR(CheckFiles("data.test", job.data(), job.data().test()));
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
