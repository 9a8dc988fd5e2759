// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <glob.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/data_set.h"

namespace seraph {
namespace {

absl::Status Unreadable(const std::string& path, int error) {
  const std::string message =
      absl::StrCat("cannot read data path ", path, ": ", std::strerror(error));
  if (error == ENOENT || error == ENOTDIR) return absl::NotFoundError(message);
  if (error == EACCES || error == EPERM) return absl::PermissionDeniedError(message);
  return absl::InternalError(message);
}

bool IsFolder(const std::string& path) {
  struct stat info;
  return ::stat(path.c_str(), &info) == 0 && S_ISDIR(info.st_mode);
}

absl::StatusOr<std::vector<std::string>> FilesOfFolder(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> paths;
  std::filesystem::directory_iterator it(folder, error);
  for (; !error && it != std::filesystem::directory_iterator(); it.increment(error)) {
    const std::string path = it->path().string();
    if (it->path().filename().string()[0] != '.' && !IsFolder(path)) paths.push_back(path);
  }
  if (error) return Unreadable(folder, error.value());
  return paths;
}

absl::StatusOr<std::vector<std::string>> FilesOfGlob(const std::string& pattern) {
  glob_t matches{};
  const int result = ::glob(pattern.c_str(), GLOB_NOSORT, nullptr, &matches);
  std::vector<std::string> paths;
  for (size_t i = 0; i < matches.gl_pathc; ++i) {
    if (!IsFolder(matches.gl_pathv[i])) paths.push_back(matches.gl_pathv[i]);
  }
  ::globfree(&matches);
  if (result != 0 && result != GLOB_NOMATCH) return Unreadable(pattern, EIO);
  return paths;
}

}  // namespace

absl::StatusOr<std::vector<DataFile>> ExpandPath(const std::string& path,
                                                 const RowFormat::Options& format) {
  struct stat info;
  std::vector<std::string> paths;
  if (::stat(path.c_str(), &info) == 0) {
    if (S_ISDIR(info.st_mode)) {
      ASSIGN_OR_RETURN(paths, FilesOfFolder(path));
    } else {
      paths.push_back(path);
    }
  } else if (errno == ENOENT && path.find_first_of("*?[") != std::string::npos) {
    ASSIGN_OR_RETURN(paths, FilesOfGlob(path));
  } else {
    return Unreadable(path, errno);
  }
  if (paths.empty()) {
    return absl::FailedPreconditionError(absl::StrCat("data path ", path, " holds no files"));
  }
  std::sort(paths.begin(), paths.end());
  std::vector<DataFile> files;
  for (std::string& file : paths) files.push_back({.path = std::move(file), .format = format});
  return files;
}

}  // namespace seraph
