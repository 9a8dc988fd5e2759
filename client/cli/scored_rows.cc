// SPDX-License-Identifier: Apache-2.0
#include "client/cli/scored_rows.h"

#include <algorithm>
#include <iterator>
#include <memory>
#include <utility>

#include "absl/strings/str_cat.h"
#include "client/cli/job_inputs.h"
#include "common/hint.h"
#include "common/process/signal_text.h"
#include "common/status_macros.h"
#include "worker/train/data_entry.h"

namespace seraph {
namespace {

// Formats of the job's entries, of test data first: new data is more like it.
std::vector<RowFormat::Options> FormatsOfJob(const v1::JobSpec& job) {
  std::vector<RowFormat::Options> formats;
  for (const auto* entries : {&job.data().test(), &job.data().train()}) {
    for (const v1::DataPath& entry : *entries) formats.push_back(FormatOf(job.data(), entry));
  }
  return formats;
}

RowFormat::Options FormatOfJob(const v1::JobSpec& job) {
  const std::vector<RowFormat::Options> formats = FormatsOfJob(job);
  const size_t tests = static_cast<size_t>(job.data().test_size());
  const bool agree =
      tests > 0 && std::all_of(formats.begin(), formats.begin() + static_cast<ptrdiff_t>(tests),
                               [&](const RowFormat::Options& own) { return own == formats[0]; });
  if (agree) return formats[0];
  // The section's words, as an entry that leaves out everything understands them.
  for (size_t i = tests; i < formats.size(); ++i) {
    if (formats[i].format == job.data().format()) return formats[i];
  }
  return FormatOf(job.data(), v1::DataPath());
}

// That of an entry of the format, if there is one: it knows columns and index base.
RowFormat::Options FormatNamed(const v1::JobSpec& job, const std::string& name) {
  for (const RowFormat::Options& format : FormatsOfJob(job)) {
    if (format.format == name && HasColumns(name)) return format;
  }
  return {.format = name, .index_base = DefaultIndexBase(name)};
}

}  // namespace

RowFormat::Options FormatForModel(const v1::JobSpec& job, const std::string& format_flag,
                                  const std::optional<uint64_t>& index_base_flag) {
  RowFormat::Options format = FormatOfJob(job);
  if (!format_flag.empty() && format_flag != format.format) format = FormatNamed(job, format_flag);
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
