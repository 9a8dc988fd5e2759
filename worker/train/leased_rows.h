// SPDX-License-Identifier: Apache-2.0
// SSP and ASP: a rank leases blocks from the scheduler, a few at a time, until the epoch has none
// left. A fast worker leases more than a slow one.
#ifndef SERAPH_WORKER_TRAIN_LEASED_ROWS_H_
#define SERAPH_WORKER_TRAIN_LEASED_ROWS_H_

#include <cstdint>
#include <memory>
#include <vector>

#include "absl/time/time.h"
#include "proto/control.pb.h"
#include "scheduler/agent/agent.h"
#include "worker/data/epoch_reader.h"
#include "worker/data/hold_out.h"
#include "worker/train/row_source.h"
#include "worker/train/seat.h"

namespace seraph {

// Batches run on from one lease to the next. A lease is reported as done once all its rows are
// learned.
class LeasedRows : public RowSource {
 public:
  struct Options {
    const DataSet* data;  // Outlives it, like the index and the agent.
    const DataIndex* index;
    SchedulerAgent* agent;
    Seat seat;
    uint32_t epoch;  // Of this job, from 1.
    uint64_t seed;
    uint64_t order_epoch;  // Of the model's whole life: shuffles the rows.
    uint64_t batch_size;
    absl::Duration deadline;            // Of each call to the scheduler.
    const HoldOut* hold_out = nullptr;  // Rows that are left out; outlives it.
  };
  explicit LeasedRows(const Options& options) : options_(options) {}

  absl::StatusOr<bool> NextBatch(BatchBuilder* batch) override;
  absl::Status Learned() override;

 private:
  // Reports what is learned and, with `want`, asks for more.
  absl::StatusOr<v1::LeaseShardReply> Ask(bool want);
  absl::StatusOr<bool> Lease();
  // The next good row into row_; false when the epoch has none left. Leases that end go to `ended`.
  absl::StatusOr<bool> NextRow(std::vector<uint64_t>* ended);
  absl::Status ReadAhead();

  const Options options_;
  std::unique_ptr<EpochReader>
      reader_;  // Of the current lease; null before the first and after each.
  uint64_t lease_ = 0;
  uint64_t next_ = 0;  // Place in the lease's order.
  bool exhausted_ = false;
  Row row_;
  std::vector<Row> ahead_;  // Rows read ahead of the batch; the first ahead_rows_ count.
  size_t ahead_rows_ = 0;
  std::vector<uint64_t> in_ahead_;  // Leases that ended while reading ahead.
  std::vector<uint64_t> in_batch_;  // Leases whose last rows are in the batch handed out.
  std::vector<uint64_t> learned_;   // To be reported.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_LEASED_ROWS_H_
