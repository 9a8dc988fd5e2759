// SPDX-License-Identifier: Apache-2.0
// A file that a command writes: whole or not at all.
#ifndef SERAPH_CLIENT_CLI_OUTPUT_FILE_H_
#define SERAPH_CLIENT_CLI_OUTPUT_FILE_H_

#include <fstream>
#include <memory>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// Not thread-safe. Without Commit nothing is left of it.
class OutputFile {
 public:
  // "-" writes to `standard`, which outlives the file; a device or pipe is written in place; else a
  // temporary file beside `path` takes its place at Commit. INVALID_ARGUMENT names a path that
  // cannot be written.
  static absl::StatusOr<std::unique_ptr<OutputFile>> Open(const std::string& path,
                                                          std::ostream* standard);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  // INVALID_ARGUMENT names the path and why it cannot be written; ReaderGoneError for a pipe that
  // nobody reads any more.
  absl::Status Write(absl::string_view bytes);
  absl::Status Commit();

 private:
  OutputFile(std::string path, std::string temporary, std::ostream* stream);
  absl::Status Error(absl::string_view why) const;
  absl::Status WriteError() const;

  const std::string path_;
  const std::string temporary_;  // Empty: written in place.
  std::ofstream file_;
  std::ostream* const stream_;  // `file_` or standard output.
  bool committed_ = false;
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_OUTPUT_FILE_H_
