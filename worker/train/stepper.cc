// SPDX-License-Identifier: Apache-2.0
#include "worker/train/stepper.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "common/table_spec.h"

namespace seraph {
namespace {

bool AllFinite(absl::Span<const float> values) {
  // Zero unless some value is NaN or infinite: no branch a value.
  float zero = 0;
  for (const float value : values) zero += value * 0.0f;
  return zero == 0.0f;
}

ModelValues Views(const std::vector<std::vector<float>>& arrays) {
  return ModelValues(arrays.begin(), arrays.end());
}

}  // namespace

Stepper::Stepper(const Model* model, Backend* backend, Client* client,
                 absl::Span<const Table> tables)
    : model_(model),
      backend_(backend),
      client_(client),
      tables_(tables.begin(), tables.end()),
      all_rows_(tables.size()),
      needs_fields_(NeedsFields(*model)),
      values_(tables.size()),
      gradients_(tables.size()) {
  for (size_t t = 0; t < tables_.size(); ++t) {
    if (model_->tables()[t].keys != TableKeys::kAll) continue;
    all_rows_[t].resize(model_->tables()[t].rows);
    std::iota(all_rows_[t].begin(), all_rows_[t].end(), uint64_t{0});
  }
}

absl::Span<const uint64_t> Stepper::KeysOf(size_t t, const Batch& batch) const {
  switch (model_->tables()[t].keys) {
    case TableKeys::kAll:
      return all_rows_[t];
    case TableKeys::kFeatures:
      return batch.keys;
    case TableKeys::kFeatureFields:
      return pairs_.keys();
  }
  return {};
}

absl::Status Stepper::Diverged(absl::string_view what) const {
  return WithHint(
      absl::AbortedError(absl::StrCat("training diverged at step ", client_->clock(), ": ", what)),
      "lower optimizer.learning_rate, or scale the features");
}

absl::Status Stepper::CheckFinite(const std::vector<std::vector<float>>& arrays,
                                  absl::string_view what) const {
  for (size_t t = 0; t < arrays.size(); ++t) {
    if (AllFinite(arrays[t])) continue;
    return Diverged(absl::StrCat(what, " of table ", model_->tables()[t].name,
                                 " hold values that are not finite"));
  }
  return absl::OkStatus();
}

bool Stepper::MarginsInRange() const {
  const float largest = model_->largest_margin();
  return std::all_of(margins_.begin(), margins_.end(), [largest](float margin) {
    return margin <= largest && margin >= std::numeric_limits<float>::lowest();
  });
}

absl::Status Stepper::Forward(const Batch& batch, bool read_only) {
  if (needs_fields_) RETURN_IF_ERROR(pairs_.Build(batch));
  std::vector<PullSlice> slices;
  for (size_t t = 0; t < tables_.size(); ++t) {
    values_[t].resize(KeysOf(t, batch).size() * model_->tables()[t].dim);
    slices.push_back({&tables_[t], KeysOf(t, batch), absl::MakeSpan(values_[t])});
  }
  RETURN_IF_ERROR(read_only ? client_->PullReadOnly(slices) : client_->Pull(slices));
  RETURN_IF_ERROR(CheckFinite(values_, "rows"));
  margins_.assign(batch.rows() * model_->outputs(), 0.0f);
  model_->Margins(InputOf(batch), Views(values_), backend_, absl::MakeSpan(margins_));
  return absl::OkStatus();
}

void Stepper::ReduceWhereServersDoNot(size_t rows) {
  const float share = 1.0f / static_cast<float>(rows);
  for (size_t t = 0; t < tables_.size(); ++t) {
    const SyncSpec& sync = tables_[t].spec().sync;
    if (HasJointSteps(sync.mode) || sync.reduce == SyncSpec::Reduce::kSum) continue;
    for (float& gradient : gradients_[t]) gradient *= share;
  }
}

absl::StatusOr<double> Stepper::Learn(const Batch& batch, bool ends_step) {
  double loss = 0;
  if (batch.rows() > 0) {
    ASSIGN_OR_RETURN(loss, PushGradients(batch));
  }
  step_rows_ += batch.rows();
  if (ends_step) {
    RETURN_IF_ERROR(client_->Step(step_rows_));
    step_rows_ = 0;
  }
  return loss;
}

absl::StatusOr<double> Stepper::PushGradients(const Batch& batch) {
  RETURN_IF_ERROR(Forward(batch, false));
  double loss = 0;
  for (size_t r = 0; r < batch.rows(); ++r) {
    loss += batch.weights[r] * model_->Loss(MarginOf(*model_, margins_, r), batch.labels[r]);
  }
  if (!std::isfinite(loss)) {
    return Diverged(absl::StrCat("the loss is ", loss, " with the rows of table ",
                                 model_->tables().back().name));
  }
  for (size_t t = 0; t < tables_.size(); ++t) gradients_[t].resize(values_[t].size());
  model_->Gradients(InputOf(batch), Views(values_), margins_, backend_,
                    ModelGradients(gradients_.begin(), gradients_.end()));
  RETURN_IF_ERROR(CheckFinite(gradients_, "gradients"));
  ReduceWhereServersDoNot(batch.rows());
  std::vector<PushSlice> slices;
  for (size_t t = 0; t < tables_.size(); ++t)
    slices.push_back({&tables_[t], KeysOf(t, batch), gradients_[t]});
  RETURN_IF_ERROR(client_->Push(PushKind::kGradient, slices));
  return loss;
}

absl::StatusOr<absl::Span<const float>> Stepper::Score(const Batch& batch) {
  RETURN_IF_ERROR(Forward(batch, true));
  if (!MarginsInRange()) {
    return WithHint(
        absl::AbortedError("no scores can be computed: the features or the weights are too large"),
        "scale the features, or train with a lower optimizer.learning_rate");
  }
  return absl::MakeConstSpan(margins_);
}

}  // namespace seraph
