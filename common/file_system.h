// SPDX-License-Identifier: Apache-2.0
// The file system as a collaborator: what models, snapshots and spill files need, and no more.
// Tests decorate it to tear writes and fill disks. Reading of training data, which wants mmap and
// streams, has its own seam in worker/data.
#ifndef SERAPH_COMMON_FILE_SYSTEM_H_
#define SERAPH_COMMON_FILE_SYSTEM_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// An open file that grows at its end. Not thread-safe. Destroying it closes the file without a
// flush to disk.
class WritableFile {
 public:
  virtual ~WritableFile() = default;
  virtual absl::Status Append(absl::string_view bytes) = 0;
  // Hands the bytes to the system and closes. Whoever reads the file sees them, but a crash of the
  // machine may lose them until a SyncTree above the file returns: for one of many files, where a
  // wait for the disk each would cost a journal commit each.
  virtual absl::Status Close() = 0;
};

// Thread-safe. Errors carry action, path and the system's reason: NOT_FOUND, PERMISSION_DENIED,
// RESOURCE_EXHAUSTED (disk full), FAILED_PRECONDITION (not a folder, not empty, read-only), else
// INTERNAL.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  // Creates or truncates.
  virtual absl::StatusOr<std::unique_ptr<WritableFile>> Create(const std::string& path) = 0;
  // The whole file, into memory: meant for manifests and partition files. OUT_OF_RANGE, before
  // anything is read, for one of more than `max_bytes`; FAILED_PRECONDITION for what is no regular
  // file (a folder, a pipe, a device), which is never waited for.
  virtual absl::StatusOr<std::string> Read(const std::string& path, uint64_t max_bytes) const = 0;
  virtual absl::Status CreateFolders(
      const std::string& path) = 0;  // With parents; an existing one is fine.
  // One folder whose parent is there. ALREADY_EXISTS when anything is at `path`: of several who ask
  // for the same one, one gets it.
  virtual absl::Status CreateFolder(const std::string& path) = 0;
  // Names within the folder, sorted, without "." and "..".
  virtual absl::StatusOr<std::vector<std::string>> List(const std::string& folder) const = 0;
  virtual bool Exists(const std::string& path) const = 0;
  // Where the links at `path` lead; `path` as it is when no link is there. NOT_FOUND when they lead
  // nowhere.
  virtual absl::StatusOr<std::string> FollowLinks(const std::string& path) const = 0;
  virtual absl::Status RemoveTree(const std::string& path) = 0;  // A missing one is fine.
  // Puts `from` in the place of `to` in one step (ExchangePaths where `to` exists, then the old one
  // is removed) that is on disk on return. What `from` holds must be on disk before (SyncTree).
  // After an error `to` is as it was. What cannot be removed of the old one stays at `from`, which
  // is no error. A link at `to` is itself replaced, not followed.
  virtual absl::Status Publish(const std::string& from, const std::string& to) = 0;
  // Waits until all files and folders at and below `folder` are on disk, whichever process of this
  // machine wrote them. One flush for all of them, and for whatever else is not yet written on that
  // file system: a flush each costs more as soon as there are a few dozen (500 small files: 0.03 s
  // against 0.25 s, with a gigabyte of others' writes under way 0.5 s against 2.5 s).
  virtual absl::Status SyncTree(const std::string& folder) = 0;
};

// The operating system's file system.
std::unique_ptr<FileSystem> NewPosixFileSystem();

}  // namespace seraph

#endif  // SERAPH_COMMON_FILE_SYSTEM_H_
