// SPDX-License-Identifier: Apache-2.0
// The names that a csv or tsv file gives its columns.
#ifndef SERAPH_WORKER_DATA_HEADER_H_
#define SERAPH_WORKER_DATA_HEADER_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "worker/data/data_index.h"

namespace seraph {

// Reads the first record of a file whose format has a header, inflating no more than its start.
// INVALID_ARGUMENT "FILE:LINE: ..." when it cannot be cut or is longer than 4 MiB, "FILE ..." when
// there is none; errors of TextSource::ReadStart.
absl::StatusOr<std::vector<std::string>> ReadHeader(const DataFile& file);

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_HEADER_H_
