// SPDX-License-Identifier: Apache-2.0
// One training step: pull the rows of a batch, score it, push gradients, commit.
#ifndef SERAPH_WORKER_TRAIN_STEPPER_H_
#define SERAPH_WORKER_TRAIN_STEPPER_H_

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/types/span.h"
#include "client/client.h"
#include "worker/compute/backend.h"
#include "worker/data/batch.h"
#include "worker/data/field_pairs.h"
#include "worker/model/model.h"

namespace seraph {

// Keeps its buffers from step to step. Not thread-safe.
class Stepper {
 public:
  // All outlive it. `tables` are those of model->tables(), in that order.
  Stepper(const Model* model, Backend* backend, Client* client, absl::Span<const Table> tables);

  // Learns the batch at the client's clock and, with `ends_step`, commits the rows learned at it
  // and moves the clock on. Returns the sum of the batch's losses, each times its weight, before
  // they were learned. An empty batch only commits. INVALID_ARGUMENT: the model needs fields, and
  // the rows have none. ABORTED when training diverged: loss, pulled rows or gradients are not
  // finite; step and table are named. Else the client's errors.
  //
  // A step of several batches is for tables whose servers take the mean (BSP): elsewhere a batch
  // is divided by its own rows.
  absl::StatusOr<double> Learn(const Batch& batch, bool ends_step = true);

  // Scores without learning: pulls outside any clock. Margins [batch.rows(), model outputs], valid
  // until the next call. ABORTED when some are beyond what the model can predict from;
  // INVALID_ARGUMENT as of Learn.
  absl::StatusOr<absl::Span<const float>> Score(const Batch& batch);

 private:
  // The keys that a batch needs of table t.
  absl::Span<const uint64_t> KeysOf(size_t t, const Batch& batch) const;
  ModelInput InputOf(const Batch& batch) const { return {batch, &pairs_}; }
  absl::StatusOr<double> PushGradients(const Batch& batch);
  // Pulls into values_ and computes margins_.
  absl::Status Forward(const Batch& batch, bool read_only);
  // Whether the model's prediction of every row is a finite number.
  bool MarginsInRange() const;
  // The mean over the batch's rows for tables whose pushes apply on arrival: only a BSP round knows
  // the rows of all.
  void ReduceWhereServersDoNot(size_t rows);
  absl::Status Diverged(absl::string_view what) const;
  absl::Status CheckFinite(const std::vector<std::vector<float>>& arrays,
                           absl::string_view what) const;

  const Model* const model_;
  Backend* const backend_;
  Client* const client_;
  const std::vector<Table> tables_;
  std::vector<std::vector<uint64_t>> all_rows_;  // By table: 0..rows-1 where it is pulled whole.
  const bool needs_fields_;
  FieldPairs pairs_;  // Of the batch of the last Forward, where the model needs fields.
  std::vector<std::vector<float>> values_;
  std::vector<std::vector<float>> gradients_;
  std::vector<float> margins_;
  uint64_t step_rows_ = 0;  // Of the batches before in this step.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_STEPPER_H_
