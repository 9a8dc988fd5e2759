// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/partition_file_name.h"

#include "absl/strings/str_format.h"
#include "absl/strings/str_replace.h"

namespace seraph {

std::string PartitionFileName(const std::string& table, uint32_t partition, uint32_t partitions) {
  return absl::StrFormat("%s/part-%05d-of-%05d", absl::StrReplaceAll(table, {{"/", "+"}}),
                         partition, partitions);
}

}  // namespace seraph
