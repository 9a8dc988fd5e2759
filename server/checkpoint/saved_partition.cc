// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/saved_partition.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "common/checksum.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

bool LeavesFolder(const std::string& file) {
  if (file.empty() || absl::StartsWith(file, "/")) return true;
  for (const absl::string_view part : absl::StrSplit(file, '/')) {
    if (part == "..") return true;
  }
  return false;
}

template <typename Is, typename Stated>
absl::Status Differs(const std::string& path, absl::string_view field, const Is& is,
                     const Stated& stated) {
  return absl::DataLossError(
      absl::StrCat(path, " has ", field, " ", is, ", and the manifest says ", stated));
}

// The bytes that the manifest means.
absl::StatusOr<std::string> ReadBytes(const FileSystem& fs, const std::string& path,
                                      const SavedPartitionFile& saved) {
  absl::StatusOr<std::string> bytes = fs.Read(path, saved.bytes);
  if (absl::IsNotFound(bytes.status())) {
    return absl::DataLossError(absl::StrCat(path, " is missing, and the manifest lists it"));
  }
  if (absl::IsOutOfRange(bytes.status())) return absl::DataLossError(bytes.status().message());
  RETURN_IF_ERROR(bytes.status());
  if (bytes->size() != saved.bytes) {
    return absl::DataLossError(
        absl::StrCat(path, " has ", bytes->size(), " bytes, and the manifest says ", saved.bytes));
  }
  if (Checksum(*bytes) != saved.checksum) {
    return Differs(path, "checksum", ChecksumHex(*bytes),
                   absl::Hex(saved.checksum, absl::kZeroPad16));
  }
  return bytes;
}

}  // namespace

absl::StatusOr<PartitionContents> ReadSavedPartition(const FileSystem& fs,
                                                     const std::string& folder,
                                                     const std::string& table,
                                                     const SavedPartitionFile& saved) {
  const std::string path = absl::StrCat(folder, "/", saved.file);
  if (LeavesFolder(saved.file)) {
    return absl::InvalidArgumentError(absl::StrCat(path, " is not within the model's folder"));
  }
  ASSIGN_OR_RETURN(const std::string bytes, ReadBytes(fs, path, saved));
  absl::StatusOr<PartitionContents> contents = ParsePartitionFile(bytes);
  if (!contents.ok()) {
    return absl::Status(contents.status().code(),
                        absl::StrCat(path, " ", contents.status().message()));
  }
  const PartitionHeader& header = contents->header;
  if (header.table != table) return Differs(path, "table", header.table, table);
  if (header.partition != saved.partition) {
    return Differs(path, "partition", header.partition, saved.partition);
  }
  if (contents->keys.size() != saved.rows) {
    return Differs(path, "rows", contents->keys.size(), saved.rows);
  }
  return contents;
}

}  // namespace seraph
