// SPDX-License-Identifier: Apache-2.0
// The records of a text: its lines, joined where a format says that one goes on.
#ifndef SERAPH_WORKER_DATA_RECORD_READER_H_
#define SERAPH_WORKER_DATA_RECORD_READER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/line_reader.h"
#include "worker/data/row_format.h"

namespace seraph {

// Reads them from a file, in memory that grows only for a record longer than a chunk. Not
// thread-safe. `file` and `format` outlive it.
class RecordReader {
 public:
  // Bytes [begin, end) of the file; `begin` starts line `first_line`.
  RecordReader(const DataFileReader* file, uint64_t begin, uint64_t end, const RowFormat* format,
               uint64_t first_line = 1);

  // Goes to the next record that holds a row; false after the last. INVALID_ARGUMENT for one that
  // is longer than kMaxLineBytes or does not end; line_number() is then that of its first line.
  absl::StatusOr<bool> Next();

  absl::string_view record() const { return lines_.line(); }  // Without line end. Until Next.
  uint64_t line_number() const { return line_number_; }       // Of its first line.
  uint64_t offset() const { return lines_.offset(); }
  uint64_t end_offset() const { return lines_.end_offset(); }
  uint64_t next_line_number() const { return next_line_number_; }  // Of what follows.
  uint64_t held_bytes() const { return lines_.held_bytes(); }

 private:
  const RowFormat* const format_;
  LineReader lines_;
  uint64_t line_number_ = 0;
  uint64_t next_line_number_;
};

// The same from memory: takes the first record off `text`, which starts a record, and counts its
// lines. A record that does not end is what is left.
absl::string_view TakeRecord(const RowFormat& format, absl::string_view* text, uint64_t* lines);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_RECORD_READER_H_
