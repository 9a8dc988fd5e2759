// SPDX-License-Identifier: Apache-2.0
// How a process says on stderr what went wrong: "error: WHAT: WHY", then at most one "hint: ..."
// line.
#ifndef SERAPH_COMMON_PROCESS_ERROR_LINE_H_
#define SERAPH_COMMON_PROCESS_ERROR_LINE_H_

#include <cstdio>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace seraph {

// With line ends. `what` names the action and its object ("start server 1"); empty: the status says
// all. Line ends within the texts become spaces, so that an error is always one line. The status's
// own hint (common/hint.h) goes before `hint`.
std::string ErrorText(absl::string_view what, const absl::Status& status,
                      absl::string_view hint = "");

// Writes it to `out` (stderr) in one piece.
void PrintError(std::FILE* out, absl::string_view what, const absl::Status& status,
                absl::string_view hint = "");

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_ERROR_LINE_H_
