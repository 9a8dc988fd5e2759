// SPDX-License-Identifier: Apache-2.0
#include "client/cli/predict_command.h"

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "client/cli/model_scorer.h"
#include "client/cli/output_file.h"
#include "client/cli/scored_rows.h"
#include "common/process/exit_code.h"
#include "common/status_macros.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

// A line a row: its number, or the likeliest class and the probability of each.
std::string LinesOf(const Model& model, size_t rows, absl::Span<const float> margins) {
  const bool classes = model.prediction_kind() == PredictionKind::kClasses;
  std::vector<double> prediction(model.outputs());
  std::string lines;
  for (size_t r = 0; r < rows; ++r) {
    model.Predict(MarginOf(model, margins, r), absl::MakeSpan(prediction));
    if (classes) absl::StrAppend(&lines, Likeliest(MarginOf(model, margins, r)), "\t");
    for (size_t c = 0; c < prediction.size(); ++c) {
      if (c > 0) lines += '\t';
      absl::StrAppendFormat(&lines, "%.9g", prediction[c]);
    }
    lines += '\n';
  }
  return lines;
}

absl::Status Predict(const ScoreFlags& flags, const std::string& output,
                     const CommandContext& context) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ModelScorer> scorer,
                   ModelScorer::Open({.files = context.files,
                                      .clock = context.clock,
                                      .folder = flags.model,
                                      .threads = ScoringThreads(context.cores)}));
  ScoreOptions options;
  options.interrupted = context.interrupted;
  const v1::JobSpec& job = scorer->manifest().job();
  RowFormat::Options format = FormatForModel(job, flags.format, flags.index_base);
  format.columns.unlabelled = HasColumns(format.format);
  ASSIGN_OR_RETURN(options.files, ExpandPaths(flags.data, format));
  ASSIGN_OR_RETURN(options.data,
                   DataOptionsOf(job, LabelMap::Regression(), scorer->manifest().fit()));
  options.data.bad_rows = {};  // As many scores as rows.
  for (const DataFile& input : options.files) {
    std::error_code none;
    if (std::filesystem::equivalent(input.path, output, none)) {
      return absl::InvalidArgumentError(
          absl::StrCat("output ", output, " is the data file ", input.path, " itself"));
    }
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<OutputFile> file,
                   OutputFile::Open(output, context.terminal.out));
  const auto score = [&](const Model& model, const Batch& batch,
                         absl::Span<const float> margins) -> TakeResult {
    return [&file, lines = LinesOf(model, batch.rows(), margins)] { return file->Write(lines); };
  };
  RETURN_IF_ERROR(ScoreRows(options, scorer.get(), score).status());
  return file->Commit();
}

}  // namespace

int RunPredict(const ScoreFlags& flags, const std::string& output, const CommandContext& context) {
  const absl::Status status = Predict(flags, output, context);
  return status.ok() ? kExitDone : context.Fail(status, "predict with " + flags.model);
}

}  // namespace seraph
