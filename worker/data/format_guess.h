// SPDX-License-Identifier: Apache-2.0
// Which format a text is likely to be in, for a user who does not know it: never used to read data.
#ifndef SERAPH_WORKER_DATA_FORMAT_GUESS_H_
#define SERAPH_WORKER_DATA_FORMAT_GUESS_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/row_format.h"

namespace seraph {

// The format of `sample`, the start of a file; `whole` when it is all of it, else its last line is
// left aside. A few lines may be bad. `format`, when not empty, is known already: only a dialect is
// then guessed. Of indexed formats the base is 0, so that keys are indices; of formats with columns
// the dialect is stated and the columns are not. INVALID_ARGUMENT when nothing fits, or for an
// unknown format.
absl::StatusOr<RowFormat::Options> GuessFormat(absl::string_view sample, bool whole,
                                               const std::string& format);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_FORMAT_GUESS_H_
