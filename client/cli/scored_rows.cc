// SPDX-License-Identifier: Apache-2.0
#include "client/cli/scored_rows.h"

#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/job_inputs.h"
#include "common/hint.h"
#include "common/process/signal_text.h"
#include "common/status_macros.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

RowFormat::Options FormatOfJob(const v1::JobSpec& job) {
  const RowFormat::Options common = FormatOf(job.data(), v1::DataPath());
  std::optional<RowFormat::Options> of_tests;
  for (const v1::DataPath& entry : job.data().test()) {
    const RowFormat::Options own = FormatOf(job.data(), entry);
    const bool differs = of_tests.has_value() &&
                         (of_tests->format != own.format || of_tests->index_base != own.index_base);
    if (differs) return common;
    of_tests = own;
  }
  return of_tests.value_or(common);
}

}  // namespace

RowFormat::Options FormatForModel(const v1::JobSpec& job, const std::string& format_flag,
                                  const std::optional<uint64_t>& index_base_flag) {
  RowFormat::Options format = FormatOfJob(job);
  if (!format_flag.empty() && format_flag != format.format) {
    format.format = format_flag;
    format.index_base = DefaultIndexBase(format_flag);  // As in a job file.
  }
  if (index_base_flag.has_value()) format.index_base = index_base_flag;
  return format;
}

absl::StatusOr<std::vector<DataFile>> ExpandPaths(const std::vector<std::string>& paths,
                                                  const RowFormat::Options& format) {
  RETURN_IF_ERROR(NewRowFormat(format).status());
  std::vector<DataFile> all;
  for (const std::string& path : paths) {
    ASSIGN_OR_RETURN(std::vector<DataFile> files, ExpandReadable(path, format));
    std::move(files.begin(), files.end(), std::back_inserter(all));
  }
  return all;
}

absl::StatusOr<uint64_t> ScoreRows(
    const ScoreOptions& options, ModelScorer* scorer,
    const std::function<absl::Status(const Batch& batch, absl::Span<const float> margins)>& visit) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DataSet> data, DataSet::Open(options.files, options.data));
  ASSIGN_OR_RETURN(const DataIndex index, data->BuildIndex());
  BatchBuilder batch;
  for (const Block& block : index.blocks) {
    if (const std::optional<int> signal = options.interrupted(); signal.has_value()) {
      return absl::CancelledError(SignalText(*signal));
    }
    batch.Clear();
    RETURN_IF_ERROR(data->ReadBlock(block, {}, [&batch](uint32_t, const Row& row) {
      batch.Add(row);
      return absl::OkStatus();
    }));
    const absl::StatusOr<absl::Span<const float>> margins = scorer->Score(batch.batch());
    if (!margins.ok()) {
      // Of a model that has been saved the rows are fine: it is the data.
      const absl::Status bad =
          absl::IsAborted(margins.status())
              ? WithHint(absl::InvalidArgumentError(margins.status().message()),
                         "scale the features")
              : margins.status();
      return Annotate(bad, absl::StrCat(index.files[block.file].path, ": rows from line ",
                                        block.first_line, " on"));
    }
    RETURN_IF_ERROR(visit(batch.batch(), *margins));
  }
  if (data->rows_skipped() == index.rows) {
    return absl::InvalidArgumentError(
        absl::StrCat("all ", index.rows, " rows of ", index.files.front().path,
                     index.files.size() > 1 ? " and the files after it" : "", " are bad"));
  }
  return data->rows_skipped();
}

}  // namespace seraph
