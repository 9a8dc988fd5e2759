// SPDX-License-Identifier: Apache-2.0
// A file of rows opened for reading at any place. Reads go by pread into the caller's memory, not
// by mmap: a file that is cut while it is read is then an error instead of a signal.
#ifndef SERAPH_WORKER_DATA_DATA_FILE_READER_H_
#define SERAPH_WORKER_DATA_DATA_FILE_READER_H_

#include <sys/types.h>

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// Tells whether a file is still the one that was seen before.
struct FileStamp {
  uint64_t device = 0;
  uint64_t inode = 0;
  uint64_t bytes = 0;
  int64_t changed_ns = 0;
  bool operator==(const FileStamp&) const = default;
};

// Owns a descriptor. Thread-safe.
class DataFileReader {
 public:
  // NOT_FOUND, PERMISSION_DENIED, FAILED_PRECONDITION (not a regular file); all name the file.
  static absl::StatusOr<std::unique_ptr<DataFileReader>> Open(const std::string& path);

  // A new file in `folder` that is gone from it at once and from the disk with its reader. Empty
  // folder: the system's temporary one.
  static absl::StatusOr<std::unique_ptr<DataFileReader>> CreateUnlinked(const std::string& folder);

  ~DataFileReader();
  DataFileReader(const DataFileReader&) = delete;
  DataFileReader& operator=(const DataFileReader&) = delete;

  absl::StatusOr<FileStamp> Stamp() const;

  // Fills bytes [0, size) of `out` from `offset` on. DATA_LOSS when the file ends before.
  absl::Status ReadAt(uint64_t offset, size_t size, char* out) const;

  // Writes at the end. RESOURCE_EXHAUSTED when the disk is full. Not thread-safe.
  absl::Status Append(absl::string_view bytes);

 private:
  DataFileReader(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  const std::string path_;
  const int fd_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_DATA_FILE_READER_H_
