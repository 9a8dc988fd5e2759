// SPDX-License-Identifier: Apache-2.0
// The bytes of MANIFEST: a line "seraph-model 1 CHECKSUM", then the manifest as JSON
// (docs/CHECKPOINT_FORMAT.md, "Manifest").
#ifndef SERAPH_SERVER_CHECKPOINT_MANIFEST_FILE_H_
#define SERAPH_SERVER_CHECKPOINT_MANIFEST_FILE_H_

#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "proto/model.pb.h"

namespace seraph {

// States this version, whatever format_version was set to. The same manifest gives the same bytes.
// INVALID_ARGUMENT for one that ParseManifest would refuse: nothing is written that cannot be read.
absl::StatusOr<std::string> EncodeManifest(v1::ModelManifest manifest);

// Decodes bytes from anywhere. DATA_LOSS says what is wrong (first line, checksum, JSON, tables or
// files that cannot be a model's); FAILED_PRECONDITION another version. Fields that this version
// does not know are passed over.
absl::StatusOr<v1::ModelManifest> ParseManifest(absl::string_view bytes);

}  // namespace seraph

#endif  // SERAPH_SERVER_CHECKPOINT_MANIFEST_FILE_H_
