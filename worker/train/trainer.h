// SPDX-License-Identifier: Apache-2.0
// One rank's share of one epoch: batches from a row source through a stepper, with progress
// reports.
#ifndef SERAPH_WORKER_TRAIN_TRAINER_H_
#define SERAPH_WORKER_TRAIN_TRAINER_H_

#include <cstdint>

#include "absl/status/statusor.h"
#include "client/client.h"
#include "common/clock.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "worker/train/cancellation.h"
#include "worker/train/row_source.h"
#include "worker/train/seat.h"
#include "worker/train/stepper.h"

namespace seraph {

// Which epoch, and how its end is met.
struct TrainEpochOptions {
  Seat seat;
  uint32_t epoch = 0;         // Of this job, from 1.
  int64_t start_clock = 0;    // SSP and ASP: where all ranks start the epoch.
  bool idles_at_end = false;  // SSP and ASP: nobody waits for a rank that has run out of rows.
};

// Learns every batch of `rows` and reports progress to the scheduler about four times a second; a
// report that is lost does not matter. The result counts rows and their losses before they were
// learned, and the client's clock at the end. Errors: the stepper's with the epoch in front, the
// source's, or, where both apply, the cancellation's reason.
absl::StatusOr<v1::TrainResult> TrainEpoch(const TrainEpochOptions& options, RowSource* rows,
                                           Stepper* stepper, Client* client, SchedulerAgent* agent,
                                           Clock* clock, const Cancellation& cancellation);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_TRAINER_H_
