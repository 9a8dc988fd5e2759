// SPDX-License-Identifier: Apache-2.0
// Where a command writes, and what its words look like.
#ifndef SERAPH_CLIENT_CLI_TERMINAL_H_
#define SERAPH_CLIENT_CLI_TERMINAL_H_

#include <cstdint>
#include <functional>
#include <ostream>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace seraph {

// Not thread-safe; the streams outlive it.
struct Terminal {
  std::ostream* out;
  std::ostream* err;
  bool live = false;  // `out` is a terminal whose last line can be written anew.
  // Whether `out` is a pipe that nobody reads any more.
  std::function<bool()> reader_gone = [] { return false; };

  // "error: WHAT: WHY" and the status's hint (or `hint`) on err. Returns the exit code for it. In
  // silence where the reader of what was written has gone (common/process/reader_gone.h).
  int Fail(const absl::Status& status, absl::string_view what = "",
           absl::string_view hint = "") const;

  // Flushes `out`. When anything was lost: ReaderGoneError, or INVALID_ARGUMENT "cannot be
  // written".
  absl::Status Finish() const;
  // The exit code of a command that has done its work: Finish's error, if any, is told.
  int Done() const;
};

std::string WithThousands(uint64_t number);   // 22,792
std::string ReadableBytes(uint64_t bytes);    // 1.5 MiB
std::string ReadableSeconds(double seconds);  // 0.08 s, 95 s, 2 min 5 s

// `path` as the user would write it: relative to the working folder when it lies within.
std::string ShownPath(const std::string& path);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_TERMINAL_H_
