// SPDX-License-Identifier: Apache-2.0
#include "client/cli/evaluate_command.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/strings/str_format.h"
#include "client/cli/json_line.h"
#include "client/cli/model_scorer.h"
#include "client/cli/scored_rows.h"
#include "common/evaluation.h"
#include "common/process/exit_code.h"
#include "common/score_runs.h"
#include "common/status_macros.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

struct Evaluation {
  PredictionKind kind;
  EvaluationMetrics metrics;
  std::optional<double> auc;
  uint64_t rows_skipped = 0;
};

struct BlockSums {
  EvaluationSums sums;
  std::vector<ScoreCount> scores;  // Where there is an AUC.
};

BlockSums SumsOf(const Model& model, const Batch& batch, absl::Span<const float> margins) {
  const bool has_auc = TraitsOf(model.prediction_kind()).has_auc();
  BlockSums block;
  for (size_t r = 0; r < batch.rows(); ++r) {
    const absl::Span<const float> margin = MarginOf(model, margins, r);
    AddRow(model, margin, batch.labels[r], &block.sums);
    if (!has_auc) continue;
    const bool positive = batch.labels[r] > 0.5f;
    block.scores.push_back({.score = margin[0],
                            .positives = positive ? uint64_t{1} : 0,
                            .negatives = positive ? 0 : uint64_t{1}});
  }
  return block;
}

absl::StatusOr<Evaluation> Evaluate(const ScoreFlags& flags, const CommandContext& context) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ModelScorer> scorer,
                   ModelScorer::Open({.files = context.files,
                                      .clock = context.clock,
                                      .folder = flags.model,
                                      .threads = ScoringThreads(context.cores)}));
  const v1::JobSpec& job = scorer->manifest().job();
  const PredictionKind kind = scorer->model().prediction_kind();
  const bool has_auc = TraitsOf(kind).has_auc();

  ScoreOptions options;
  options.interrupted = context.interrupted;
  ASSIGN_OR_RETURN(options.files,
                   ExpandPaths(flags.data, FormatForModel(job, flags.format, flags.index_base)));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(job, scorer->model()));
  ASSIGN_OR_RETURN(options.data, DataOptionsOf(job, std::move(labels), scorer->manifest().fit()));

  EvaluationSums total;
  ScoreRuns runs({});
  const auto score = [&](const Model& model, const Batch& batch,
                         absl::Span<const float> margins) -> TakeResult {
    return [&, block = SumsOf(model, batch, margins)] {
      total.Add(block.sums);
      return has_auc ? runs.AddCounts(block.scores) : absl::OkStatus();
    };
  };
  Evaluation evaluation{.kind = kind, .metrics = {}, .auc = {}};
  ASSIGN_OR_RETURN(evaluation.rows_skipped, ScoreRows(options, scorer.get(), score));
  evaluation.metrics = Summarise(kind, total);
  if (has_auc) {
    ASSIGN_OR_RETURN(evaluation.auc, runs.Auc());
  }
  return evaluation;
}

std::optional<double> ValueOf(const Evaluation& evaluation, Metric metric) {
  return metric == Metric::kAuc ? evaluation.auc : ValueOf(evaluation.metrics, metric);
}

void PrintJson(const Evaluation& evaluation, std::ostream* out) {
  Json object;
  object["rows"] = evaluation.metrics.rows;
  for (const Metric metric : TraitsOf(evaluation.kind).metrics) {
    object[MetricName(metric)] = OrNull(ValueOf(evaluation, metric));
  }
  object["rows_skipped"] = evaluation.rows_skipped;
  PrintLine(out, object);
}

void PrintText(const Evaluation& evaluation, std::ostream* out) {
  const auto line = [out](const char* title, const std::string& text) {
    *out << absl::StrFormat("%-13s ", title) << text << "\n";
  };
  line("rows", WithThousands(evaluation.metrics.rows));
  if (evaluation.rows_skipped > 0) line("rows skipped", WithThousands(evaluation.rows_skipped));
  for (const Metric metric : TraitsOf(evaluation.kind).metrics) {
    const std::optional<double> value = ValueOf(evaluation, metric);
    line(MetricTitle(metric), value.has_value() ? absl::StrFormat("%.6f", *value) : "undefined");
  }
}

}  // namespace

int RunEvaluate(const ScoreFlags& flags, bool json, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  const absl::StatusOr<Evaluation> evaluation = Evaluate(flags, context);
  if (!evaluation.ok()) return context.Fail(evaluation.status(), "evaluate " + flags.model);
  if (json) {
    PrintJson(*evaluation, terminal.out);
  } else {
    PrintText(*evaluation, terminal.out);
  }
  return terminal.Done();
}

}  // namespace seraph
