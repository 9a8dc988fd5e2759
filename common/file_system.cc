// SPDX-License-Identifier: Apache-2.0
#include "common/file_system.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/exchange_paths.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

namespace stdfs = std::filesystem;

absl::StatusCode CodeOf(int error) {
  switch (error) {
    case ENOENT:
      return absl::StatusCode::kNotFound;
    case EACCES:
    case EPERM:
      return absl::StatusCode::kPermissionDenied;
    case ENOSPC:
    case EDQUOT:
      return absl::StatusCode::kResourceExhausted;
    case ENOTDIR:
    case EISDIR:
    case ENOTEMPTY:
    case EEXIST:
    case EROFS:
    case ENAMETOOLONG:
    case EXDEV:
      return absl::StatusCode::kFailedPrecondition;
    default:
      return absl::StatusCode::kInternal;
  }
}

absl::Status Failed(absl::string_view action, absl::string_view path, int error) {
  return absl::Status(CodeOf(error),
                      absl::StrCat("cannot ", action, " ", path, ": ", std::strerror(error)));
}

// A file descriptor that closes itself.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const { return fd_; }
  int Release() { return std::exchange(fd_, -1); }

 private:
  int fd_;
};

class PosixWritableFile : public WritableFile {
 public:
  PosixWritableFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  absl::Status Append(absl::string_view bytes) override {
    while (!bytes.empty()) {
      const ssize_t n = ::write(fd_.get(), bytes.data(), bytes.size());
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return Failed("write", path_, errno);
      bytes.remove_prefix(static_cast<size_t>(n));
    }
    return absl::OkStatus();
  }

  absl::Status Close() override {
    if (::close(fd_.Release()) != 0) return Failed("close", path_, errno);
    return absl::OkStatus();
  }

 private:
  const std::string path_;
  Descriptor fd_;
};

class PosixFileSystem : public FileSystem {
 public:
  absl::StatusOr<std::unique_ptr<WritableFile>> Create(const std::string& path) override {
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (fd < 0) return Failed("create", path, errno);
    return std::make_unique<PosixWritableFile>(path, fd);
  }

  absl::StatusOr<std::string> Read(const std::string& path, uint64_t max_bytes) const override {
    // Without waiting: somebody may have put a pipe there, that nobody writes into.
    Descriptor fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
    if (fd.get() < 0) return Failed("open", path, errno);
    struct stat info;
    if (::fstat(fd.get(), &info) != 0) return Failed("read", path, errno);
    if (S_ISDIR(info.st_mode)) return Failed("read", path, EISDIR);
    if (!S_ISREG(info.st_mode)) {
      return absl::FailedPreconditionError(
          absl::StrCat("cannot read ", path, ": it is no regular file"));
    }
    if (static_cast<uint64_t>(info.st_size) > max_bytes) {
      return absl::OutOfRangeError(absl::StrCat("cannot read ", path, ": it has ", info.st_size,
                                                " bytes, at most ", max_bytes, " are expected"));
    }
    std::string bytes(static_cast<size_t>(info.st_size), '\0');
    size_t at = 0;
    while (at < bytes.size()) {
      const ssize_t n = ::read(fd.get(), bytes.data() + at, bytes.size() - at);
      if (n < 0 && errno == EINTR) continue;
      if (n < 0) return Failed("read", path, errno);
      if (n == 0) break;  // The file shrank meanwhile: what is there is the file.
      at += static_cast<size_t>(n);
    }
    bytes.resize(at);
    return bytes;
  }

  absl::Status CreateFolders(const std::string& path) override {
    std::error_code error;
    stdfs::create_directories(path, error);
    if (error) return Failed("create folder", path, error.value());
    if (!stdfs::is_directory(path, error)) return Failed("create folder", path, ENOTDIR);
    return absl::OkStatus();
  }

  absl::Status CreateFolder(const std::string& path) override {
    if (::mkdir(path.c_str(), 0755) == 0) return absl::OkStatus();
    const int error = errno;
    const absl::Status failed = Failed("create folder", path, error);
    return error == EEXIST ? absl::AlreadyExistsError(failed.message()) : failed;
  }

  absl::StatusOr<std::vector<std::string>> List(const std::string& folder) const override {
    std::error_code error;
    std::vector<std::string> names;
    stdfs::directory_iterator it(folder, error);
    for (; !error && it != stdfs::directory_iterator(); it.increment(error)) {
      names.push_back(it->path().filename().string());
    }
    if (error) return Failed("list", folder, error.value());
    std::sort(names.begin(), names.end());
    return names;
  }

  bool Exists(const std::string& path) const override {
    struct stat info;
    return ::lstat(path.c_str(), &info) == 0;
  }

  absl::StatusOr<std::string> FollowLinks(const std::string& path) const override {
    std::error_code error;
    if (!stdfs::is_symlink(path, error)) return path;
    const stdfs::path target = stdfs::canonical(path, error);
    if (error) return Failed("follow the link", path, error.value());
    return target.string();
  }

  absl::Status RemoveTree(const std::string& path) override {
    std::error_code error;
    stdfs::remove_all(path, error);
    if (error) return Failed("remove", path, error.value());
    return absl::OkStatus();
  }

  absl::Status Publish(const std::string& from, const std::string& to) override {
    const bool replaces = Exists(to);
    if (const int error = MoveOrExchange(from, to, replaces); error != 0) {
      return Failed(
          absl::StrCat(replaces ? "exchange " : "rename ", from, replaces ? " with" : " to"), to,
          error);
    }
    if (absl::Status synced = SyncParent(to); !synced.ok()) {
      // The exchange may or may not outlast a crash: take it back, so that the caller's error and
      // what lies at `to` agree.
      (void)MoveOrExchange(to, from, replaces);
      return synced;
    }
    if (replaces) (void)RemoveTree(from);  // Holds what `to` was.
    return absl::OkStatus();
  }

  absl::Status SyncTree(const std::string& folder) override {
    Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) return Failed("open folder", folder, errno);
    if (::syncfs(fd.get()) != 0) return Failed("write to disk", folder, errno);
    return absl::OkStatus();
  }

 private:
  static int MoveOrExchange(const std::string& from, const std::string& to, bool exchange) {
    if (exchange) return ExchangePaths(from, to);
    return ::renameat2(AT_FDCWD, from.c_str(), AT_FDCWD, to.c_str(), 0) == 0 ? 0 : errno;
  }

  // Waits until the folder's entries are on disk.
  absl::Status SyncFolder(const std::string& folder) {
    Descriptor fd(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (fd.get() < 0) return Failed("open folder", folder, errno);
    if (::fsync(fd.get()) != 0) return Failed("write to disk", folder, errno);
    return absl::OkStatus();
  }

  absl::Status SyncParent(const std::string& path) {
    const stdfs::path parent = stdfs::path(path).parent_path();
    return SyncFolder(parent.empty() ? "." : parent.string());
  }
};

}  // namespace

std::unique_ptr<FileSystem> NewPosixFileSystem() { return std::make_unique<PosixFileSystem>(); }

}  // namespace seraph
