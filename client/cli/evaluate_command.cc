// SPDX-License-Identifier: Apache-2.0
#include "client/cli/evaluate_command.h"

#include <memory>
#include <utility>

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

absl::StatusOr<Evaluation> Evaluate(const ScoreFlags& flags, const CommandContext& context) {
  ASSIGN_OR_RETURN(const std::unique_ptr<ModelScorer> scorer,
                   ModelScorer::Open(context.files, context.clock, flags.model));
  const v1::JobSpec& job = scorer->manifest().job();
  const Model& model = scorer->model();
  const bool has_auc = TraitsOf(model.prediction_kind()).has_auc();

  ScoreOptions options;
  options.interrupted = context.interrupted;
  ASSIGN_OR_RETURN(options.files,
                   ExpandPaths(flags.data, FormatForModel(job, flags.format, flags.index_base)));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(job, model));
  options.data = DataOptionsOf(job, std::move(labels));

  EvaluationSums total;
  ScoreRuns runs({});
  const auto add_block = [&](const Batch& batch, absl::Span<const float> margins) -> absl::Status {
    EvaluationSums sums;
    for (size_t r = 0; r < batch.rows(); ++r) {
      const absl::Span<const float> margin = MarginOf(model, margins, r);
      AddRow(model, margin, batch.labels[r], &sums);
      if (has_auc) RETURN_IF_ERROR(runs.Add(margin[0], batch.labels[r] > 0.5f));
    }
    total.Add(sums);
    return absl::OkStatus();
  };
  Evaluation evaluation{.kind = model.prediction_kind(), .metrics = {}, .auc = {}};
  ASSIGN_OR_RETURN(evaluation.rows_skipped, ScoreRows(options, scorer.get(), add_block));
  evaluation.metrics = Summarise(model.prediction_kind(), total);
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
