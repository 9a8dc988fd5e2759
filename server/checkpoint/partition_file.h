// SPDX-License-Identifier: Apache-2.0
// One partition of one table as a file (docs/CHECKPOINT_FORMAT.md, "Partition file").
// Little-endian, nothing between the parts:
//
//   magic "SRPHPART" | u32 version 1 | u32 partition | u32 dim | u32 state width
//   u64 rows | u64 table seed | u32 name bytes | table name | zeros up to a multiple of 8
//   rows x u64 key, ascending
//   rows x (dim + state width) x f32, in the keys' order: weights, then optimizer state
//   u64 XXH3-64 of all bytes before
#ifndef SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_H_
#define SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "common/file_system.h"

namespace seraph {

struct PartitionHeader {
  std::string table;
  uint32_t partition = 0;
  uint32_t dim = 0;
  uint32_t state_width = 0;
  uint64_t seed = 0;
  bool operator==(const PartitionHeader&) const = default;
};

struct PartitionContents {
  PartitionHeader header;
  std::vector<uint64_t> keys;  // Ascending, each once.
  std::vector<float> rows;     // [keys.size(), dim + state_width].
};

struct WrittenFile {
  uint64_t bytes = 0;
  uint64_t checksum = 0;  // Of the whole file, as the manifest states it.
};

// Writes `path`, making the folder it lies in where that is missing. The file is whole for whoever
// reads it next, and on disk once PublishModel, or a SyncTree above it, returns. After an error
// what lies at `path` is no partition file. REQUIRES: keys ascending and each once, rows of the
// right size.
absl::StatusOr<WrittenFile> WritePartitionFile(FileSystem* fs, const std::string& path,
                                               const PartitionHeader& header,
                                               absl::Span<const uint64_t> keys,
                                               absl::Span<const float> rows);

// Decodes bytes from anywhere. DATA_LOSS says what is wrong (cut, checksum, keys out of order,
// sizes that lie); FAILED_PRECONDITION another format version. No allocation before the sizes are
// checked against the bytes.
absl::StatusOr<PartitionContents> ParsePartitionFile(absl::string_view bytes);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_PARTITION_FILE_H_
