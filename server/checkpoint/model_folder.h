// SPDX-License-Identifier: Apache-2.0
// A saved model: a folder with MANIFEST and partition files (docs/CHECKPOINT_FORMAT.md). MANIFEST
// is a line "seraph-model 1 CHECKSUM", CHECKSUM being XXH3-64 in hex of the rest, then the JSON of
// proto/model.proto.
//
// A model is written into a staging folder beside its final place ("NAME.staging-PID-N"), whose
// tables' files lie at TABLE/part-00000-of-00256 (a slash of a table's name becomes '+', which no
// name has), and published by exchanging folders. A staging folder that a killed process left
// behind is never taken for a model nor written into again.
#ifndef SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_
#define SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_

#include <functional>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "proto/model.pb.h"
#include "server/checkpoint/partition_file.h"
#include "server/checkpoint/partition_file_name.h"

namespace seraph {

// OK when `folder` may be replaced by a model: it does not exist, is empty or holds a whole model
// and nothing else, and its parent (or the nearest folder above that is there) can be written in,
// probed by making and removing a file. A link at `folder` stands for where it leads. Leaves
// nothing behind. Otherwise FAILED_PRECONDITION, or what the probe met (PERMISSION_DENIED,
// RESOURCE_EXHAUSTED), with the path.
absl::Status CheckModelTarget(FileSystem* fs, const std::string& folder);

// Makes the staging folder for `folder`, parents included, and returns its path. Of several callers
// each gets its own. The caller removes it when it gives up.
absl::StatusOr<std::string> CreateStaging(FileSystem* fs, const std::string& folder);

// Removes the staging folders that process `process` of this machine made for `folder` and did not
// publish: for whoever saw it end. What cannot be removed stays.
void RemoveStagings(FileSystem* fs, const std::string& folder, int process);

// Writes MANIFEST into `staging`, waits until the disk has all of `staging`, and puts it in the
// place of `folder`. After an error `folder` is as it was and `staging` is left to the caller. The
// same manifest gives the same bytes; its format_version is set here. INVALID_ARGUMENT for one that
// ReadManifest would refuse.
absl::Status PublishModel(FileSystem* fs, const std::string& staging, const std::string& folder,
                          const v1::ModelManifest& manifest);

// NOT_FOUND no such folder or no MANIFEST in it; DATA_LOSS damaged, or it lists files that cannot
// be a model's (another place, twice, out of order); FAILED_PRECONDITION another version. Names the
// file.
absl::StatusOr<v1::ModelManifest> ReadManifest(const FileSystem& fs, const std::string& folder);

// Calls `read`, which reads the model in `folder` from its manifest on, again when it fails and
// another model has taken the folder's place meanwhile: it then may have met files of both.
absl::Status RetryIfReplaced(const FileSystem& fs, const std::string& folder,
                             const std::function<absl::Status()>& read);

// Reads every partition of the manifest in table and partition order and hands it to `visit`, whose
// error ends the walk. Each file is checked against the manifest (bytes, checksum, header): a
// DATA_LOSS names the file and what differs, or that it is missing. Files that the manifest does
// not list are not looked at.
absl::Status VisitPartitions(
    const FileSystem& fs, const std::string& folder, const v1::ModelManifest& manifest,
    const std::function<absl::Status(const v1::SavedTable&, PartitionContents)>& visit);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_MODEL_FOLDER_H_
