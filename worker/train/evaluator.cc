// SPDX-License-Identifier: Apache-2.0
#include "worker/train/evaluator.h"

#include <utility>
#include <vector>

#include "absl/time/time.h"
#include "common/score_runs.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Scores in one message: 20 bytes each.
constexpr int kScoresPerMessage = 1 << 16;
constexpr absl::Duration kReportDeadline = absl::Seconds(30);

v1::BlockSums ToProto(uint32_t block, const EvaluationSums& sums) {
  v1::BlockSums proto;
  proto.set_block(block);
  proto.set_rows(sums.rows);
  proto.set_loss(sums.loss);
  proto.set_correct(sums.correct);
  proto.set_label(sums.label);
  proto.set_label_squared(sums.label_squared);
  proto.set_error_squared(sums.error_squared);
  return proto;
}

// The rows of a block, or those of them that are in `only`.
absl::Status ReadRows(const DataSet& data, const DataIndex& index, uint32_t block,
                      const HoldOut* only, BatchBuilder* batch) {
  batch->Clear();
  std::vector<uint32_t> wanted;
  if (only != nullptr) {
    wanted = only->RowsOf(block);
    if (wanted.empty()) return absl::OkStatus();
  }
  return data.ReadBlock(index.blocks[block], wanted, [batch](uint32_t, const Row& row) {
    batch->Add(row);
    return absl::OkStatus();
  });
}

absl::Status SendScores(const EvaluateOptions& options, SchedulerAgent* agent, v1::ScoreRun* run) {
  v1::ReportScores report;
  Sign(options.seat, &report);
  report.set_task(options.task);
  report.mutable_run()->Swap(run);
  run->Clear();
  return agent->ReportScores(report, kReportDeadline);
}

}  // namespace

absl::StatusOr<v1::EvaluateResult> EvaluateBlocks(const EvaluateOptions& options,
                                                  const DataSet& data, const DataIndex& index,
                                                  const Model& model, Stepper* stepper,
                                                  SchedulerAgent* agent,
                                                  const Cancellation& cancellation) {
  v1::EvaluateResult result;
  ScoreRuns runs({.spill_folder = options.spill_folder});
  const bool has_auc = TraitsOf(model.prediction_kind()).has_auc();
  BatchBuilder batch;
  for (uint64_t b = options.first_block; b < index.blocks.size(); b += options.stride) {
    RETURN_IF_ERROR(cancellation.status());
    RETURN_IF_ERROR(ReadRows(data, index, static_cast<uint32_t>(b), options.only, &batch));
    ASSIGN_OR_RETURN(const absl::Span<const float> margins, stepper->Score(batch.batch()));
    EvaluationSums sums;
    for (size_t r = 0; r < batch.batch().rows(); ++r) {
      const absl::Span<const float> margin = MarginOf(model, margins, r);
      const float label = batch.batch().labels[r];
      AddRow(model, margin, label, &sums);
      if (has_auc) RETURN_IF_ERROR(runs.Add(margin[0], label > 0.5f));
    }
    *result.add_blocks() = ToProto(static_cast<uint32_t>(b), sums);
  }
  v1::ScoreRun* run = result.mutable_run();
  RETURN_IF_ERROR(runs.ForEach([&](const ScoreCount& count) {
    run->add_score(count.score);
    run->add_positives(count.positives);
    run->add_negatives(count.negatives);
    return run->score_size() < kScoresPerMessage ? absl::OkStatus()
                                                 : SendScores(options, agent, run);
  }));
  return result;
}

}  // namespace seraph
