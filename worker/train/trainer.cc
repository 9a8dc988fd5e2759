// SPDX-License-Identifier: Apache-2.0
#include "worker/train/trainer.h"

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr absl::Duration kReportEvery = absl::Milliseconds(250);
constexpr absl::Duration kReportDeadline = absl::Seconds(1);

void Report(const TrainEpochOptions& options, const v1::TrainResult& so_far,
            SchedulerAgent* agent) {
  v1::ReportProgress report;
  Sign(options.seat, &report);
  report.set_epoch(options.epoch);
  report.set_rows(so_far.rows());
  report.set_loss_sum(so_far.loss_sum());
  agent->ReportProgress(report, kReportDeadline).IgnoreError();  // Shown to people; may be lost.
}

}  // namespace

absl::StatusOr<v1::TrainResult> TrainEpoch(const TrainEpochOptions& options, RowSource* rows,
                                           Stepper* stepper, Client* client, SchedulerAgent* agent,
                                           Clock* clock, const Cancellation& cancellation) {
  const absl::Time start = clock->Now();
  absl::Time reported = start;
  if (options.idles_at_end) RETURN_IF_ERROR(client->ResumeAt(options.start_clock));
  v1::TrainResult result;
  BatchBuilder batch;
  while (true) {
    RETURN_IF_ERROR(cancellation.status());
    ASSIGN_OR_RETURN(const bool more, rows->NextBatch(&batch));
    if (!more) break;
    absl::StatusOr<double> loss = stepper->Learn(batch.batch(), rows->EndsStep());
    if (!loss.ok()) {
      // Why the group was dropped says more than that it was.
      RETURN_IF_ERROR(cancellation.status());
      return Annotate(loss.status(), absl::StrCat("epoch ", options.epoch));
    }
    RETURN_IF_ERROR(rows->Learned());
    result.set_rows(result.rows() + batch.batch().rows());
    result.set_loss_sum(result.loss_sum() + *loss);
    if (clock->Now() - reported >= kReportEvery) {
      Report(options, result, agent);
      reported = clock->Now();
    }
  }
  if (options.idles_at_end) RETURN_IF_ERROR(client->StepThenIdle());
  result.set_steps(static_cast<uint64_t>(client->clock()));
  result.set_seconds(absl::ToDoubleSeconds(clock->Now() - start));
  return result;
}

}  // namespace seraph
