// SPDX-License-Identifier: Apache-2.0
// What a process tells its caller by its exit code: one mapping for every binary.
#ifndef SERAPH_COMMON_PROCESS_EXIT_CODE_H_
#define SERAPH_COMMON_PROCESS_EXIT_CODE_H_

#include "absl/status/status.h"

namespace seraph {

inline constexpr int kExitDone = 0;
inline constexpr int kExitFailed = 1;        // The work failed.
inline constexpr int kExitWrongRequest = 2;  // Flags, job file, input data, a damaged model.
inline constexpr int kExitUnreachable = 3;   // A process could not be reached, a deadline passed.

inline int ExitCode(const absl::Status& status) {
  switch (status.code()) {
    case absl::StatusCode::kOk:
      return kExitDone;
    case absl::StatusCode::kInvalidArgument:
    case absl::StatusCode::kNotFound:
    case absl::StatusCode::kFailedPrecondition:
    case absl::StatusCode::kPermissionDenied:
    case absl::StatusCode::kDataLoss:
    case absl::StatusCode::kUnimplemented:
      return kExitWrongRequest;
    case absl::StatusCode::kUnavailable:
    case absl::StatusCode::kDeadlineExceeded:
      return kExitUnreachable;
    default:
      return kExitFailed;
  }
}

// As shells report it: 130 for SIGINT, 143 for SIGTERM.
inline int ExitCodeOfSignal(int signal_number) { return 128 + signal_number; }

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_EXIT_CODE_H_
