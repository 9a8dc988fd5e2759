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
  const bool binary = model.prediction_kind() == PredictionKind::kBinary;

  ScoreOptions options;
  options.interrupted = context.interrupted;
  ASSIGN_OR_RETURN(options.files,
                   ExpandPaths(flags.data, FormatForModel(job, flags.format, flags.index_base)));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(job, model.prediction_kind()));
  options.data = DataOptionsOf(job, std::move(labels));

  EvaluationSums total;
  ScoreRuns runs({});
  const auto add_block = [&](const Batch& batch, absl::Span<const float> margins) -> absl::Status {
    EvaluationSums sums;
    for (size_t r = 0; r < margins.size(); ++r) {
      AddRow(model, margins[r], batch.labels[r], &sums);
      if (binary) RETURN_IF_ERROR(runs.Add(margins[r], batch.labels[r] > 0.5f));
    }
    total.Add(sums);
    return absl::OkStatus();
  };
  Evaluation evaluation{.kind = model.prediction_kind(), .metrics = {}, .auc = {}};
  ASSIGN_OR_RETURN(evaluation.rows_skipped, ScoreRows(options, scorer.get(), add_block));
  evaluation.metrics = Summarise(model.prediction_kind(), total);
  if (binary) {
    ASSIGN_OR_RETURN(evaluation.auc, runs.Auc());
  }
  return evaluation;
}

void PrintJson(const Evaluation& evaluation, std::ostream* out) {
  const EvaluationMetrics& m = evaluation.metrics;
  Json object;
  object["rows"] = m.rows;
  if (evaluation.kind == PredictionKind::kBinary) {
    object["logloss"] = OrNull(m.logloss);
    object["auc"] = OrNull(evaluation.auc);
    object["accuracy"] = OrNull(m.accuracy);
    object["base_logloss"] = OrNull(m.base_logloss);
  } else {
    object["rmse"] = OrNull(m.rmse);
    object["r2"] = OrNull(m.r2);
  }
  object["rows_skipped"] = evaluation.rows_skipped;
  PrintLine(out, object);
}

void PrintMetric(const char* name, const std::optional<double>& value, std::ostream* out) {
  *out << absl::StrFormat("%-13s ", name)
       << (value.has_value() ? absl::StrFormat("%.6f", *value) : "undefined") << "\n";
}

void PrintText(const Evaluation& evaluation, std::ostream* out) {
  const EvaluationMetrics& m = evaluation.metrics;
  *out << absl::StrFormat("%-13s ", "rows") << WithThousands(m.rows) << "\n";
  if (evaluation.rows_skipped > 0) {
    *out << absl::StrFormat("%-13s ", "rows skipped") << WithThousands(evaluation.rows_skipped)
         << "\n";
  }
  if (evaluation.kind == PredictionKind::kBinary) {
    PrintMetric("logloss", m.logloss, out);
    PrintMetric("AUC", evaluation.auc, out);
    PrintMetric("accuracy", m.accuracy, out);
    PrintMetric("base logloss", m.base_logloss, out);
  } else {
    PrintMetric("rmse", m.rmse, out);
    PrintMetric("R2", m.r2, out);
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
