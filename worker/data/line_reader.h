// SPDX-License-Identifier: Apache-2.0
// The lines of a part of a file, one after another, in memory that grows only for a line longer
// than a chunk.
#ifndef SERAPH_WORKER_DATA_LINE_READER_H_
#define SERAPH_WORKER_DATA_LINE_READER_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/data_file_reader.h"

namespace seraph {

// A line, or lines that belong together, longer than this are an error: it is no text of rows.
inline constexpr uint64_t kMaxLineBytes = uint64_t{64} << 20;

// Not thread-safe. `file` outlives it.
class LineReader {
 public:
  // Reads bytes [begin, end) of the file; `begin` starts a line.
  LineReader(const DataFileReader* file, uint64_t begin, uint64_t end);

  // Goes to the next line; false after the last. INVALID_ARGUMENT for a line that is too long.
  absl::StatusOr<bool> Next();

  // Makes the next line a part of this one, the '\n' between them too; false when there is none.
  absl::StatusOr<bool> Extend();

  absl::string_view line() const { return line_; }     // Without '\n'. Until the next call.
  uint64_t offset() const { return offset_; }          // Of the line in the file.
  uint64_t end_offset() const { return end_offset_; }  // Past its '\n', if it has one.
  uint64_t held_bytes() const { return buffer_.capacity(); }

 private:
  // Finds the end of the line that starts at line_begin_, looking from `searched` bytes behind it
  // on.
  absl::StatusOr<bool> FindEnd(size_t searched);
  absl::Status Fill();

  const DataFileReader* const file_;
  const uint64_t end_;
  std::string buffer_;
  uint64_t buffer_offset_;  // Of the buffer's first byte in the file.
  size_t held_ = 0;         // Bytes of the buffer that are read.
  size_t line_begin_ = 0;   // Where the line starts in the buffer.
  size_t next_ = 0;         // Where the next line does.
  absl::string_view line_;
  uint64_t offset_ = 0;
  uint64_t end_offset_ = 0;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_LINE_READER_H_
