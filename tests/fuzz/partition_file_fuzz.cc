// SPDX-License-Identifier: Apache-2.0
// Partition files from anywhere: ParsePartitionFile answers every input with a status, and what it
// accepts keeps the promises of PartitionContents. Each input is tried as it is and with its last
// eight bytes made the right checksum, so that the search gets past it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "absl/strings/string_view.h"
#include "common/checksum.h"
#include "server/checkpoint/partition_file.h"

namespace {

void Require(bool holds) {
  if (!holds) std::abort();
}

void Try(absl::string_view bytes) {
  const auto contents = seraph::ParsePartitionFile(bytes);
  if (!contents.ok()) {
    Require(!contents.status().message().empty());
    return;
  }
  const uint64_t width = uint64_t{contents->header.dim} + contents->header.state_width;
  Require(contents->rows.size() == contents->keys.size() * width);
  for (size_t i = 1; i < contents->keys.size(); ++i) {
    Require(contents->keys[i - 1] < contents->keys[i]);
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const absl::string_view bytes(reinterpret_cast<const char*>(data), size);
  Try(bytes);
  if (size < 8) return 0;
  std::string sealed(bytes.substr(0, size - 8));
  const uint64_t checksum = seraph::Checksum(sealed);
  sealed.append(reinterpret_cast<const char*>(&checksum), sizeof(checksum));
  Try(sealed);
  return 0;
}
