// SPDX-License-Identifier: Apache-2.0
// Rows of data files, block by block in their order, with the margins of a model.
#ifndef SERAPH_CLIENT_CLI_SCORED_ROWS_H_
#define SERAPH_CLIENT_CLI_SCORED_ROWS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/cli/model_scorer.h"
#include "worker/data/batch.h"
#include "worker/data/data_set.h"
#include "worker/data/row_format.h"

namespace seraph {

// The format for data that is given to a saved model: that of the job's test entries where all
// agree, else of the first training entry in the section's format. Flags win: another format takes
// the columns of an entry that has it, or starts without an index base.
RowFormat::Options FormatForModel(const v1::JobSpec& job, const std::string& format_flag,
                                  const std::optional<uint64_t>& index_base_flag);

// The files of all paths, which may be folders or globs. Errors as of ExpandReadable.
absl::StatusOr<std::vector<DataFile>> ExpandPaths(const std::vector<std::string>& paths,
                                                  const RowFormat::Options& format);

struct ScoreOptions {
  std::vector<DataFile> files;
  DataSet::Options data;
  std::function<std::optional<int>()> interrupted;  // Asked once a block.
};

// Calls `visit` once a block and returns how many bad rows were left out. Its error, or that of a
// bad row, ends the walk; CANCELLED by a signal. INVALID_ARGUMENT: of a block's rows, named by file
// and line, no finite score can be computed; or all rows are bad.
absl::StatusOr<uint64_t> ScoreRows(
    const ScoreOptions& options, ModelScorer* scorer,
    const std::function<absl::Status(const Batch& batch, absl::Span<const float> margins)>& visit);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_SCORED_ROWS_H_
