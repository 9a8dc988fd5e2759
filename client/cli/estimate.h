// SPDX-License-Identifier: Apache-2.0
// How large a job is: what --dry-run tells before anybody waits for it.
#ifndef SERAPH_CLIENT_CLI_ESTIMATE_H_
#define SERAPH_CLIENT_CLI_ESTIMATE_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "proto/job.pb.h"

namespace seraph {

struct JobEstimate {
  uint64_t train_files = 0;
  uint64_t train_rows = 0;
  uint64_t train_bytes = 0;  // Of rows, inflated.
  uint64_t test_rows = 0;
  uint64_t test_bytes = 0;
  uint64_t features = 0;        // Distinct keys of the training data.
  uint64_t feature_fields = 0;  // Distinct pairs of features and fields, for models that have them.
  bool all_features = false;    // False: only the first part was read, there are at least so many.
  uint64_t table_bytes = 0;     // Weights, optimizer state and index, on all servers together.
};

// Reads the index of all files and parses up to 64 MiB of training rows: an error is that of bad
// data. REQUIRES: a resolved job.
absl::StatusOr<JobEstimate> EstimateJob(const v1::JobSpec& job);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_ESTIMATE_H_
