// SPDX-License-Identifier: Apache-2.0
// A partition's file as its model's manifest lists it.
#ifndef SERAPH_SERVER_CHECKPOINT_SAVED_PARTITION_H_
#define SERAPH_SERVER_CHECKPOINT_SAVED_PARTITION_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "server/checkpoint/partition_file.h"

namespace seraph {

struct SavedPartitionFile {
  uint32_t partition = 0;
  std::string file;  // Relative to the model folder.
  uint64_t rows = 0;
  uint64_t bytes = 0;
  uint64_t checksum = 0;
};

// Reads the file below `folder`, no byte more than the manifest states. DATA_LOSS names the file
// and how it is not the one that the manifest means: missing, of other bytes, rows or checksum,
// damaged, of another table than `table` or another partition. FAILED_PRECONDITION: of another
// format version or no regular file. INVALID_ARGUMENT: a path that leaves the folder. Whether its
// rows are as wide as the table's is the caller's to check.
absl::StatusOr<PartitionContents> ReadSavedPartition(const FileSystem& fs,
                                                     const std::string& folder,
                                                     const std::string& table,
                                                     const SavedPartitionFile& saved);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_SAVED_PARTITION_H_
