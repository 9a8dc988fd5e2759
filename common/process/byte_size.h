// SPDX-License-Identifier: Apache-2.0
// Sizes as people write them: "8GiB", "512 MB", "4096".
#ifndef SERAPH_COMMON_PROCESS_BYTE_SIZE_H_
#define SERAPH_COMMON_PROCESS_BYTE_SIZE_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// A whole number and a unit: none or B, KB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers
// of 1024); capitals do not matter. INVALID_ARGUMENT names the text when it is none of these or
// does not fit.
absl::StatusOr<int64_t> ParseByteSize(absl::string_view text);

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_BYTE_SIZE_H_
