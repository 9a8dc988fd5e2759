// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/model_folder.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "server/checkpoint/manifest_file.h"
#include "server/checkpoint/saved_partition.h"

namespace seraph {
namespace {

namespace stdfs = std::filesystem;

constexpr char kManifest[] = "MANIFEST";
constexpr char kStaging[] = ".staging-";
// Models that may take each other's place while one is read.
constexpr int kMostReplacements = 20;
constexpr uint64_t kMaxManifestBytes = uint64_t{256} << 20;
constexpr int kMostStagings = 1000;  // Beside one model; each is a process that died.

// Without slashes at the end, which rename and "the folder beside it" would take differently.
std::string Trimmed(std::string folder) {
  while (folder.size() > 1 && folder.back() == '/') folder.pop_back();
  return folder;
}

std::string ParentOf(const std::string& path) {
  const std::string parent = stdfs::path(path).parent_path().string();
  return parent.empty() ? "." : parent;
}

// A folder that can be renamed: "." and "/" have no name to stage beside.
absl::Status CheckHasName(const std::string& folder) {
  const std::string name = stdfs::path(folder).filename().string();
  if (!name.empty() && name != "." && name != "..") return absl::OkStatus();
  return absl::FailedPreconditionError(
      absl::StrCat("model folder \"", folder, "\" has no name of its own"));
}

// The folder to write, behind slashes and links.
absl::StatusOr<std::string> TargetOf(const FileSystem& fs, const std::string& folder) {
  const std::string trimmed = Trimmed(folder);
  RETURN_IF_ERROR(CheckHasName(trimmed));
  return fs.FollowLinks(trimmed);
}

absl::Status NotReplaced(const std::string& folder, absl::string_view why) {
  return WithHint(
      absl::FailedPreconditionError(absl::StrCat("folder ", folder, " is not replaced: it ", why)),
      "name another folder for the model, or empty this one");
}

// Whether all that `folder` holds belongs to the model whose manifest it has. Anything else is
// somebody's and would be lost.
absl::Status CheckHoldsNothingElse(const FileSystem& fs, const std::string& folder,
                                   const v1::ModelManifest& manifest) {
  std::set<std::string> own = {kManifest};
  for (const v1::SavedTable& table : manifest.tables()) {
    for (const v1::SavedPartition& partition : table.partitions()) {
      own.insert(partition.file());
      own.insert(stdfs::path(partition.file()).parent_path().string());
    }
  }
  ASSIGN_OR_RETURN(std::vector<std::string> left, fs.List(folder));
  while (!left.empty()) {
    const std::string name = std::move(left.back());
    left.pop_back();
    if (own.count(name) == 0) {
      return NotReplaced(folder, absl::StrCat("holds ", name, ", which is no part of its model"));
    }
    const auto inside = fs.List(absl::StrCat(folder, "/", name));
    if (!inside.ok()) continue;  // A file.
    for (const std::string& file : *inside) left.push_back(absl::StrCat(name, "/", file));
  }
  return absl::OkStatus();
}

absl::Status CheckReplaceableNow(const FileSystem& fs, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::vector<std::string> names, fs.List(folder));
  if (names.empty()) return absl::OkStatus();
  if (std::count(names.begin(), names.end(), kManifest) == 0) {
    return NotReplaced(folder, absl::StrCat("is not empty and no model (it holds ", names.front(),
                                            " and no ", kManifest, ")"));
  }
  const absl::StatusOr<v1::ModelManifest> manifest = ReadManifest(fs, folder);
  if (!manifest.ok()) {
    return NotReplaced(folder, absl::StrCat("is not empty and no model that this program knows: ",
                                            manifest.status().message()));
  }
  return CheckHoldsNothingElse(fs, folder, *manifest);
}

absl::Status CheckReplaceable(const FileSystem& fs, const std::string& folder) {
  if (!fs.Exists(folder)) return absl::OkStatus();
  return RetryIfReplaced(fs, folder, [&] { return CheckReplaceableNow(fs, folder); });
}

// "FILE says what is wrong" out of an error about bytes.
absl::Status Named(const std::string& path, const absl::Status& status) {
  return absl::Status(status.code(), absl::StrCat(path, " ", status.message()));
}

// That the rows are as the manifest's table says.
absl::Status CheckShape(const v1::SavedTable& table, const PartitionHeader& is) {
  const auto differs = [](absl::string_view field, uint64_t has, uint64_t stated) {
    return absl::DataLossError(
        absl::StrCat("is of ", field, " ", has, ", and the manifest says ", stated));
  };
  const v1::TableSpec& spec = table.spec();
  if (is.dim != spec.dim()) return differs("dim", is.dim, spec.dim());
  if (is.state_width != table.state_width()) {
    return differs("state width", is.state_width, table.state_width());
  }
  if (is.seed != spec.seed()) return differs("seed", is.seed, spec.seed());
  return absl::OkStatus();
}

}  // namespace

absl::Status RetryIfReplaced(const FileSystem& fs, const std::string& folder,
                             const std::function<absl::Status()>& read) {
  const std::string path = absl::StrCat(folder, "/", kManifest);
  absl::StatusOr<std::string> before = fs.Read(path, kMaxManifestBytes);
  for (int again = 0;; ++again) {
    const absl::Status status = read();
    if (status.ok() || !before.ok() || again == kMostReplacements) return status;
    absl::StatusOr<std::string> after = fs.Read(path, kMaxManifestBytes);
    if (!after.ok() || *after == *before) return status;
    before = std::move(after);
  }
}

absl::Status CheckModelTarget(FileSystem* fs, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::string target, TargetOf(*fs, folder));
  RETURN_IF_ERROR(CheckReplaceable(*fs, target));
  std::string parent = ParentOf(target);
  while (!fs->Exists(parent) && parent != ParentOf(parent)) parent = ParentOf(parent);
  // As long as any staging folder's name may get.
  const std::string probe =
      absl::StrCat(parent, "/", stdfs::path(target).filename().string(), kStaging, "probe-",
                   absl::Dec(::getpid(), absl::kZeroPad10));
  auto file = fs->Create(probe);
  if (!file.ok()) {
    return Annotate(file.status(), absl::StrCat("model folder ", target, " cannot be written"));
  }
  const absl::Status closed = (*file)->Close();
  RETURN_IF_ERROR(fs->RemoveTree(probe));
  return closed;
}

absl::StatusOr<std::string> CreateStaging(FileSystem* fs, const std::string& folder) {
  ASSIGN_OR_RETURN(const std::string target, TargetOf(*fs, folder));
  RETURN_IF_ERROR(fs->CreateFolders(ParentOf(target)));
  absl::Status created;
  for (int n = 0; n < kMostStagings; ++n) {
    std::string staging = absl::StrCat(target, kStaging, ::getpid(), "-", n);
    created = fs->CreateFolder(staging);
    if (created.ok()) return staging;
    if (!absl::IsAlreadyExists(created)) return created;
  }
  return WithHint(created, absl::StrCat("remove the ", target, kStaging, "* of runs that ended"));
}

void RemoveStagings(FileSystem* fs, const std::string& folder, int process) {
  const absl::StatusOr<std::string> target = TargetOf(*fs, folder);
  if (!target.ok()) return;
  const std::string parent = ParentOf(*target);
  const absl::StatusOr<std::vector<std::string>> names = fs->List(parent);
  if (!names.ok()) return;
  const std::string prefix =
      absl::StrCat(stdfs::path(*target).filename().string(), kStaging, process, "-");
  for (const std::string& name : *names) {
    if (absl::StartsWith(name, prefix))
      fs->RemoveTree(absl::StrCat(parent, "/", name)).IgnoreError();
  }
}

absl::Status PublishModel(FileSystem* fs, const std::string& staging, const std::string& folder,
                          const v1::ModelManifest& manifest) {
  ASSIGN_OR_RETURN(const std::string target, TargetOf(*fs, folder));
  RETURN_IF_ERROR(CheckReplaceable(*fs, target));
  ASSIGN_OR_RETURN(const std::string bytes, EncodeManifest(manifest));
  ASSIGN_OR_RETURN(const std::unique_ptr<WritableFile> file,
                   fs->Create(absl::StrCat(staging, "/", kManifest)));
  RETURN_IF_ERROR(file->Append(bytes));
  RETURN_IF_ERROR(file->Close());
  RETURN_IF_ERROR(fs->SyncTree(staging));
  return fs->Publish(Trimmed(staging), target);
}

absl::StatusOr<v1::ModelManifest> ReadManifest(const FileSystem& fs, const std::string& folder) {
  const std::string path = absl::StrCat(folder, "/", kManifest);
  auto bytes = fs.Read(path, kMaxManifestBytes);
  if (!bytes.ok()) return Annotate(bytes.status(), absl::StrCat("no model at ", folder));
  auto manifest = ParseManifest(*bytes);
  if (!manifest.ok()) return Named(path, manifest.status());
  return manifest;
}

absl::Status VisitPartitions(
    const FileSystem& fs, const std::string& folder, const v1::ModelManifest& manifest,
    const std::function<absl::Status(const v1::SavedTable&, PartitionContents)>& visit) {
  for (const v1::SavedTable& table : manifest.tables()) {
    for (const v1::SavedPartition& saved : table.partitions()) {
      ASSIGN_OR_RETURN(PartitionContents contents,
                       ReadSavedPartition(fs, folder, table.spec().name(),
                                          {saved.partition(), saved.file(), saved.rows(),
                                           saved.bytes(), saved.checksum()}));
      if (absl::Status fits = CheckShape(table, contents.header); !fits.ok()) {
        return Named(absl::StrCat(folder, "/", saved.file()), fits);
      }
      RETURN_IF_ERROR(visit(table, std::move(contents)));
    }
  }
  return absl::OkStatus();
}

}  // namespace seraph
