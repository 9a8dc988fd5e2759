// SPDX-License-Identifier: Apache-2.0
// The error of writing to a pipe whose reader has gone: `seraph predict ... | head`. Nobody's
// fault, so that a command ends in silence then, with the exit code of SIGPIPE, as other programs
// of the system do.
#ifndef SERAPH_COMMON_PROCESS_READER_GONE_H_
#define SERAPH_COMMON_PROCESS_READER_GONE_H_

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace seraph {

inline constexpr absl::string_view kReaderGonePayload = "seraph/reader-gone";

inline absl::Status ReaderGoneError(absl::string_view message) {
  absl::Status status = absl::CancelledError(message);
  status.SetPayload(kReaderGonePayload, absl::Cord());
  return status;
}

// Also of a status that Annotate has made of one.
inline bool IsReaderGone(const absl::Status& status) {
  return status.GetPayload(kReaderGonePayload).has_value();
}

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_READER_GONE_H_
