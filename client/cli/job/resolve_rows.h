// SPDX-License-Identifier: Apache-2.0
// What a job makes of the rows that its entries hold: how their values are scaled, what their
// labels are, what they weigh. Errors are INVALID_ARGUMENT and begin with the key.
#ifndef SERAPH_CLIENT_CLI_JOB_RESOLVE_ROWS_H_
#define SERAPH_CLIENT_CLI_JOB_RESOLVE_ROWS_H_

#include <cstdint>

#include "absl/status/status.h"
#include "proto/job.pb.h"

namespace seraph {

// Fills and checks data.scale. REQUIRES: the entries are resolved (resolve_entries.h).
absl::Status ResolveScale(v1::DataSpec* data);

// Checks data.label and the entries' own. `two_classes`: the model's labels are those of two
// classes. REQUIRES: the entries are resolved.
absl::Status CheckLabels(bool two_classes, const v1::DataSpec& data);

// data.classes and model.classes are the same number: takes one from the other.
absl::Status TakeClassesOfData(const v1::DataSpec& data, v1::ModelSpec* model);

// Checks data.class_weights for a model of so many classes; 0: its labels are numbers.
absl::Status CheckClassWeights(uint32_t classes, const v1::DataSpec& data);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_RESOLVE_ROWS_H_
