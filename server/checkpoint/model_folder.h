// SPDX-License-Identifier: Apache-2.0
// A saved model: a folder with MANIFEST and partition files (docs/CHECKPOINT_FORMAT.md). MANIFEST
// is a line "seraph-model 1 CHECKSUM", CHECKSUM being XXH3-64 in hex of the rest, then the JSON of
// proto/model.proto.
//
// A model is written into a staging folder beside its final place ("NAME.staging-PID-N"), whose
// tables' files lie at TABLE/part-00000-of-00256 (slashes of a table's name become '-'), and
// published by exchanging folders.
#ifndef SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_
#define SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "proto/model.pb.h"
#include "server/checkpoint/partition_file.h"

namespace seraph {

// "weights/part-00007-of-00256": relative to the model folder.
std::string PartitionFileName(const std::string& table, uint32_t partition, uint32_t partitions);

// OK when `folder` may be replaced by a model: it does not exist, is empty or holds a MANIFEST, and
// its parent can be written in (probed by making and removing a file). FAILED_PRECONDITION or
// PERMISSION_DENIED otherwise, with the path.
absl::Status CheckModelTarget(FileSystem* fs, const std::string& folder);

// Makes the staging folder for `folder`, parents included, and returns its path.
absl::StatusOr<std::string> CreateStaging(FileSystem* fs, const std::string& folder);

// Writes MANIFEST into `staging` and puts the folder in the place of `folder`. After an error
// `folder` is as it was.
absl::Status PublishModel(FileSystem* fs, const std::string& staging, const std::string& folder,
                          const v1::ModelManifest& manifest);

// NOT_FOUND no such folder or no MANIFEST in it; DATA_LOSS damaged; FAILED_PRECONDITION another
// version. Names the file.
absl::StatusOr<v1::ModelManifest> ReadManifest(const FileSystem& fs, const std::string& folder);

// Reads every partition of the manifest in table and partition order and hands it to `visit`, whose
// error ends the walk. Each file is checked against the manifest (bytes, checksum, header):
// DATA_LOSS names the file and what differs.
absl::Status VisitPartitions(
    const FileSystem& fs, const std::string& folder, const v1::ModelManifest& manifest,
    const std::function<absl::Status(const v1::SavedTable&, PartitionContents)>& visit);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_
