// SPDX-License-Identifier: Apache-2.0
#include "client/cli/cluster/daemon_paths.h"

#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

std::string FolderOf(const std::string& path) {
  const size_t slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash);
}

absl::StatusOr<std::string> Find(const FileSystem& files, const std::string& folder,
                                 const std::string& kind) {
  const std::string name = absl::StrCat("seraph_", kind);
  const std::string beside = absl::StrCat(folder, "/", name);
  const std::string built = absl::StrCat(folder, "/../../", kind, "/", name);
  if (files.Exists(beside)) return beside;
  if (files.Exists(built)) return built;
  return WithHint(absl::InternalError(
                      absl::StrCat("find ", name, ": neither ", beside, " nor ", built, " exists")),
                  "build or install the daemons, or leave --processes out");
}

}  // namespace

absl::StatusOr<DaemonPaths> FindDaemons(const FileSystem& files, const std::string& executable) {
  const std::string folder = FolderOf(executable);
  DaemonPaths paths;
  ASSIGN_OR_RETURN(paths.scheduler, Find(files, folder, "scheduler"));
  ASSIGN_OR_RETURN(paths.server, Find(files, folder, "server"));
  ASSIGN_OR_RETURN(paths.worker, Find(files, folder, "worker"));
  return paths;
}

}  // namespace seraph
