// SPDX-License-Identifier: Apache-2.0
#include "common/checksum.h"

#include <xxhash.h>

#include "absl/strings/str_format.h"

namespace seraph {

uint64_t Checksum(absl::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string ChecksumHex(absl::string_view bytes) {
  return absl::StrFormat("%016x", Checksum(bytes));
}

}  // namespace seraph
