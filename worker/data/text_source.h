// SPDX-License-Identifier: Apache-2.0
// The text of a data file, plain or compressed, readable at any place.
#ifndef SERAPH_WORKER_DATA_TEXT_SOURCE_H_
#define SERAPH_WORKER_DATA_TEXT_SOURCE_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/data_file_reader.h"

namespace seraph {

// One unlinked file for whatever does not lie on disk as it is to be read, one piece after another:
// one descriptor, however many pieces. Not thread-safe while it grows.
class SpillFile {
 public:
  // Empty folder: the system's temporary one. Creates nothing before the first use.
  explicit SpillFile(std::string folder) : folder_(std::move(folder)) {}

  // For appending.
  absl::StatusOr<DataFileReader*> file();
  // Of all pieces so far.
  absl::StatusOr<uint64_t> bytes() const;

 private:
  const std::string folder_;
  std::unique_ptr<DataFileReader> file_;
};

// Thread-safe.
class TextSource {
 public:
  // Opens the file; a compressed one, told by its first bytes, is inflated into `spill`, which
  // outlives the source. NOT_FOUND, PERMISSION_DENIED; DATA_LOSS for a compressed file that ends
  // early or is damaged; INVALID_ARGUMENT for one that is named .gz or .zst and is not. All name
  // the file.
  static absl::StatusOr<std::unique_ptr<TextSource>> Open(const std::string& path,
                                                          SpillFile* spill);

  // The first `most` bytes of the text of a file, without a byte order mark; fewer when there are
  // not so many. Inflates no more than that. Errors as of Open, as far as it reads.
  static absl::StatusOr<std::string> ReadStart(const std::string& path, size_t most);

  const std::string& path() const { return path_; }
  uint64_t bytes() const { return bytes_; }            // Of the text.
  uint64_t text_begin() const { return text_begin_; }  // Behind a byte order mark, if it has one.

  // A way to read the text: its byte n is byte begin + n of `file`.
  struct View {
    const DataFileReader* file;
    uint64_t begin;
    std::unique_ptr<DataFileReader> own;
  };
  // DATA_LOSS when the file is gone or not the one that was opened.
  absl::StatusOr<View> OpenView() const;
  // The same check again, after reading.
  absl::Status CheckUnchanged(const View& view) const;

 private:
  TextSource(std::string path, FileStamp stamp) : path_(std::move(path)), stamp_(stamp) {}

  absl::Status Inflate(const DataFileReader& compressed, SpillFile* spill, absl::string_view magic);
  absl::Status SkipByteOrderMark(const DataFileReader& file);

  const std::string path_;
  const FileStamp stamp_;  // Of the file as it lies on disk, compressed or not.
  const DataFileReader* spilled_ = nullptr;
  uint64_t begin_ = 0;  // First byte of the text, in the spill file if it lies there.
  uint64_t bytes_ = 0;
  uint64_t text_begin_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_TEXT_SOURCE_H_
