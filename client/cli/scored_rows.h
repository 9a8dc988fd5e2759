// SPDX-License-Identifier: Apache-2.0
// Rows of data files with the margins of a model: scored by several threads, taken block by block
// in their order.
#ifndef SERAPH_CLIENT_CLI_SCORED_ROWS_H_
#define SERAPH_CLIENT_CLI_SCORED_ROWS_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "client/cli/block_pipeline.h"
#include "client/cli/model_scorer.h"
#include "worker/data/batch.h"
#include "worker/data/data_set.h"
#include "worker/data/row_format.h"

namespace seraph {

// The format for data that is given to a saved model: that of the job's test entries where all
// agree, else of the first training entry in the section's format. Flags win: another format is
// read with what the job says of columns, labels and fields, but has no index base unless it has
// one by itself.
RowFormat::Options FormatForModel(const v1::JobSpec& job, const std::string& format_flag,
                                  const std::optional<uint64_t>& index_base_flag);

// The files of all paths, which may be folders or globs. Errors as of ExpandReadable.
absl::StatusOr<std::vector<DataFile>> ExpandPaths(const std::vector<std::string>& paths,
                                                  const RowFormat::Options& format);

struct ScoreOptions {
  std::vector<DataFile> files;
  DataSet::Options data;
  std::function<std::optional<int>()> interrupted;
};

// How many threads score on a machine of so many cores.
int ScoringThreads(int cores);

// Makes of a block what is to be taken of it: on one of the scorer's threads, whose `model` it is.
// What it returns runs on the caller's thread, block by block, and holds what it needs of the
// arguments.
using ScoreBlock = std::function<TakeResult(const Model& model, const Batch& batch,
                                            absl::Span<const float> margins)>;

// Scores all rows and returns how many bad ones were left out. Files are read once by the thread
// that looks for blocks in them, and block by block by those that score; memory stays within a few
// blocks a thread. The first error in the order of the rows ends the walk, however many threads
// there are: that of a bad row, or of one too many; of a block; of taking it; CANCELLED by a
// signal. INVALID_ARGUMENT: of a block's rows, named by file and line, no finite score can be
// computed; or all rows are bad.
absl::StatusOr<uint64_t> ScoreRows(const ScoreOptions& options, ModelScorer* scorer,
                                   const ScoreBlock& score);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_SCORED_ROWS_H_
