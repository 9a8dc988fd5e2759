// SPDX-License-Identifier: Apache-2.0
// XXH3-64 (xxhash.com) of everything that Seraph writes to disk.
#ifndef SERAPH_COMMON_CHECKSUM_H_
#define SERAPH_COMMON_CHECKSUM_H_

#include <cstdint>
#include <string>

#include "absl/strings/string_view.h"

namespace seraph {

uint64_t Checksum(absl::string_view bytes);

// 16 lower-case hex digits.
std::string ChecksumHex(absl::string_view bytes);

}  // namespace seraph

#endif  // SERAPH_COMMON_CHECKSUM_H_
