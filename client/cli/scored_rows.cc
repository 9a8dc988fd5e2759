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

constexpr int kMostThreads = 16;

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

// That of an entry of the format, if it is one of columns; an index base must be stated anew. Else
// what the entries say of other formats as far as it holds for this one: columns, dialect but for
// the delimiter, labels where all agree.
RowFormat::Options FormatNamed(const v1::JobSpec& job, const std::string& name) {
  const std::vector<RowFormat::Options> formats = FormatsOfJob(job);
  for (const RowFormat::Options& format : formats) {
    if (format.format == name && HasColumns(name)) return format;
  }
  v1::DataPath entry;
  entry.set_format(name);
  RowFormat::Options format = FormatOf(job.data(), entry);
  format.index_base = DefaultIndexBase(name);
  if (HasOwnFields(name)) format.fields.clear();
  for (const RowFormat::Options& other : formats) {
    if (!HasColumns(name) || !HasColumns(other.format)) continue;
    format.columns = other.columns;
    format.dialect = other.dialect;
    format.dialect.delimiter.clear();
    break;
  }
  const bool agree = std::all_of(formats.begin(), formats.end(), [&](const RowFormat::Options& f) {
    return f.labels == formats[0].labels;
  });
  if (agree && !formats.empty()) format.labels = formats[0].labels;
  // Texts are no labels of rows of indices: theirs are numbers.
  if (!HasColumns(name) && format.labels.texts()) format.labels = {};
  return format;
}

// The bad rows of one block.
struct BadRows {
  uint64_t count = 0;
  std::vector<absl::Status> errors;  // The first ones, as many as may matter.
};

class RowScorer {
 public:
  // All outlive it.
  RowScorer(const ScoreOptions& options, const DataSet& data, ModelScorer* scorer,
            const ScoreBlock& score)
      : options_(options),
        data_(data),
        scorer_(scorer),
        score_(score),
        seats_(static_cast<size_t>(scorer->threads())) {}

  // ScoreRows.
  absl::StatusOr<uint64_t> Run() {
    const BlockPipelineOptions pipeline{.threads = scorer_->threads(),
                                        .clock = scorer_->clock(),
                                        .check = [this] { return CheckInterrupted(); }};
    RETURN_IF_ERROR(WorkOnBlocks(
        pipeline, [this](const auto& visit) { return data_.ForEachBlock(visit); },
        [this](int thread, const Block& block) { return WorkOn(thread, block); }));
    if (rows_skipped_ == rows_) {
      return absl::InvalidArgumentError(
          absl::StrCat("all ", rows_, " rows of ", options_.files.front().path,
                       options_.files.size() > 1 ? " and the files after it" : "", " are bad"));
    }
    return rows_skipped_;
  }

 private:
  // A thread's memory, kept from block to block.
  struct Seat {
    LoadedBlock loaded;
    Row row;
    BatchBuilder batch;
  };

  absl::Status CheckInterrupted() const {
    const std::optional<int> signal = options_.interrupted();
    return signal.has_value() ? absl::CancelledError(SignalText(*signal)) : absl::OkStatus();
  }

  absl::StatusOr<TakeResult> WorkOn(int thread, const Block& block) {
    Seat& seat = seats_[static_cast<size_t>(thread)];
    ASSIGN_OR_RETURN(BadRows bad, ReadRows(block, &seat));
    absl::StatusOr<TakeResult> scored = Score(thread, block, seat.batch.batch());
    return [this, rows = block.rows, bad = std::move(bad), scored = std::move(scored)]() mutable {
      RETURN_IF_ERROR(CountBadRows(bad));
      rows_ += rows;
      RETURN_IF_ERROR(scored.status());
      return (*scored)();
    };
  }

  // Fills the batch. The error of the first bad row, unless these are left out.
  absl::StatusOr<BadRows> ReadRows(const Block& block, Seat* seat) const {
    const BadRowPolicy& policy = options_.data.bad_rows;
    BadRows bad;
    seat->batch.Clear();
    RETURN_IF_ERROR(data_.LoadBlock(block, &seat->loaded));
    for (uint32_t i = 0; i < block.rows; ++i) {
      const absl::Status parsed = data_.ParseAnyRow(block.file, seat->loaded, i, &seat->row);
      if (parsed.ok()) {
        seat->batch.Add(seat->row);
        continue;
      }
      if (!policy.skip) return parsed;
      if (bad.count++ <= policy.max_bad_rows) bad.errors.push_back(parsed);
    }
    return bad;
  }

  absl::StatusOr<TakeResult> Score(int thread, const Block& block, const Batch& batch) {
    const absl::StatusOr<absl::Span<const float>> margins = scorer_->Score(thread, batch);
    if (margins.ok()) return score_(scorer_->model(thread), batch, *margins);
    // Of a model that has been saved the rows are fine: it is the data.
    const absl::Status bad =
        absl::IsAborted(margins.status())
            ? WithHint(absl::InvalidArgumentError(margins.status().message()), "scale the features")
            : margins.status();
    return Annotate(bad, absl::StrCat(options_.files[block.file].path, ": rows from line ",
                                      block.first_line, " on"));
  }

  // An error when these make too many.
  absl::Status CountBadRows(const BadRows& bad) {
    const BadRowPolicy& policy = options_.data.bad_rows;
    const uint64_t left = policy.max_bad_rows - rows_skipped_;
    if (policy.max_bad_rows > 0 && bad.count > left) {
      return TooManyBadRows(bad.errors[static_cast<size_t>(left)], policy);
    }
    rows_skipped_ += bad.count;
    return absl::OkStatus();
  }

  const ScoreOptions& options_;
  const DataSet& data_;
  ModelScorer* const scorer_;
  const ScoreBlock& score_;
  std::vector<Seat> seats_;  // By thread.
  // Of the caller's thread: what has been taken.
  uint64_t rows_ = 0;
  uint64_t rows_skipped_ = 0;
};

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

int ScoringThreads(int cores) { return std::clamp(cores, 1, kMostThreads); }

absl::StatusOr<uint64_t> ScoreRows(const ScoreOptions& options, ModelScorer* scorer,
                                   const ScoreBlock& score) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DataSet> data, DataSet::Open(options.files, options.data));
  RowScorer rows(options, *data, scorer, score);
  return rows.Run();
}

}  // namespace seraph
