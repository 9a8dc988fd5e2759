// SPDX-License-Identifier: Apache-2.0
// What a job reads and writes, looked at before anything starts.
#ifndef SERAPH_CLIENT_CLI_JOB_INPUTS_H_
#define SERAPH_CLIENT_CLI_JOB_INPUTS_H_

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "proto/job.pb.h"
#include "worker/data/data_set.h"
#include "worker/data/row_format.h"

namespace seraph {

// The files behind a path, folders and globs expanded. Errors name the file: nothing there, not
// readable, empty.
absl::StatusOr<std::vector<DataFile>> ExpandReadable(const std::string& path,
                                                     const RowFormat::Options& format);

// Keys of columns are made of their positions, so all files of a job must count them alike: states
// in each entry of a resolved job whose files have headers, and none of its own, the names of
// data.columns, or else those of the model of train.start_from, or else those of the first training
// file that has some, and checks that the entry's columns are among them. The message begins with
// the key. What comes of it goes into the saved model, for data that is scored later.
absl::Status NameColumns(FileSystem* files, v1::JobSpec* job);

// Checks that a resolved job's data files can be read, that train.start_from is a model of the
// job's shape, and that output.model may be written. The message begins with the key.
absl::Status CheckJobInputs(FileSystem* files, const v1::JobSpec& job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_INPUTS_H_
