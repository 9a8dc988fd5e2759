// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_file_reader.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

absl::Status Failed(absl::string_view action, absl::string_view path, int error) {
  absl::StatusCode code = absl::StatusCode::kInternal;
  if (error == ENOENT || error == ENOTDIR) code = absl::StatusCode::kNotFound;
  if (error == EACCES || error == EPERM) code = absl::StatusCode::kPermissionDenied;
  if (error == ENOSPC || error == EDQUOT || error == EFBIG || error == EMFILE || error == ENFILE) {
    code = absl::StatusCode::kResourceExhausted;
  }
  return absl::Status(code, absl::StrCat("cannot ", action, " ", path, ": ", std::strerror(error)));
}

}  // namespace

absl::StatusOr<std::unique_ptr<DataFileReader>> DataFileReader::Open(const std::string& path) {
  // Non-blocking, so that a pipe without a writer is refused below instead of waited for.
  const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (fd < 0) return Failed("read", path, errno);
  std::unique_ptr<DataFileReader> file(new DataFileReader(path, fd));
  struct stat info;
  if (::fstat(fd, &info) != 0) return Failed("read", path, errno);
  if (!S_ISREG(info.st_mode)) {
    return absl::FailedPreconditionError(
        absl::StrCat("cannot read ", path, ": it is not a regular file"));
  }
  return file;
}

absl::StatusOr<std::unique_ptr<DataFileReader>> DataFileReader::CreateUnlinked(
    const std::string& folder) {
  std::string base = folder;
  if (base.empty()) {
    std::error_code error;
    base = std::filesystem::temp_directory_path(error).string();
    if (error) base = "/tmp";
  }
  std::string path = base + "/seraph-spill-XXXXXX";
  const int fd = ::mkostemp(path.data(), O_CLOEXEC);
  if (fd < 0) return Failed("create a spill file in", base, errno);
  std::unique_ptr<DataFileReader> file(
      new DataFileReader(absl::StrCat("the spill file in ", base), fd));
  if (::unlink(path.c_str()) != 0) return Failed("unlink", path, errno);
  return file;
}

DataFileReader::~DataFileReader() { ::close(fd_); }

absl::StatusOr<FileStamp> DataFileReader::Stamp() const {
  struct stat info;
  if (::fstat(fd_, &info) != 0) return Failed("read", path_, errno);
  return FileStamp{
      .device = info.st_dev,
      .inode = info.st_ino,
      .bytes = static_cast<uint64_t>(info.st_size),
      .changed_ns = int64_t{info.st_mtim.tv_sec} * 1'000'000'000 + info.st_mtim.tv_nsec};
}

absl::Status DataFileReader::ReadAt(uint64_t offset, size_t size, char* out) const {
  size_t done = 0;
  while (done < size) {
    const ssize_t n = ::pread(fd_, out + done, size - done, static_cast<off_t>(offset + done));
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("read", path_, errno);
    if (n == 0) {
      return absl::DataLossError(absl::StrCat("cannot read ", path_, ": it ends at byte ",
                                              offset + done, ", ", offset + size,
                                              " were expected"));
    }
    done += static_cast<size_t>(n);
  }
  return absl::OkStatus();
}

absl::Status DataFileReader::Append(absl::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(fd_, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) return Failed("write", path_, errno);
    bytes.remove_prefix(static_cast<size_t>(n));
  }
  return absl::OkStatus();
}

}  // namespace seraph
