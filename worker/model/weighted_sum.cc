// SPDX-License-Identifier: Apache-2.0
#include "worker/model/weighted_sum.h"

#include <algorithm>

#include "worker/model/loss.h"

namespace seraph {

WeightedSumModel::WeightedSumModel(bool bias, uint32_t outputs)
    : has_bias_(bias), outputs_(outputs), slope_(outputs), bias_gradient_(outputs) {
  if (bias) {
    tables_.push_back({.name = "bias",
                       .kind = TableKind::kDense,
                       .dim = outputs,
                       .rows = 1,
                       .initializer = {},
                       .regularised = false,
                       .keys = TableKeys::kAll});
  }
  tables_.push_back({.name = "weights",
                     .kind = TableKind::kSparse,
                     .dim = outputs,
                     .rows = 0,
                     .initializer = {},
                     .regularised = true,
                     .keys = TableKeys::kFeatures});
}

void WeightedSumModel::Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
                               absl::Span<float> margins) const {
  for (size_t at = 0; at < margins.size(); at += outputs_) {
    for (uint32_t c = 0; c < outputs_; ++c) margins[at + c] = has_bias_ ? values[0][c] : 0.0f;
  }
  backend->LinearForward(input.batch, outputs_, values[weights_table()], margins);
}

void WeightedSumModel::Gradients(const ModelInput& input, const ModelValues& values,
                                 absl::Span<const float> margins, Backend* backend,
                                 const ModelGradients& gradients) const {
  const Batch& batch = input.batch;
  slopes_.resize(margins.size());
  std::fill(bias_gradient_.begin(), bias_gradient_.end(), 0.0);
  for (size_t r = 0; r < batch.rows(); ++r) {
    Slopes(MarginOf(*this, margins, r), batch.labels[r], absl::MakeSpan(slope_));
    float* const row = &slopes_[r * outputs_];
    for (uint32_t c = 0; c < outputs_; ++c) {
      row[c] = static_cast<float>(batch.weights[r] * slope_[c]);
      bias_gradient_[c] += row[c];
    }
  }
  for (const absl::Span<float>& gradient : gradients) {
    std::fill(gradient.begin(), gradient.end(), 0.0f);
  }
  if (has_bias_) {
    for (uint32_t c = 0; c < outputs_; ++c) {
      gradients[0][c] = static_cast<float>(bias_gradient_[c]);
    }
  }
  backend->LinearBackward(batch, outputs_, slopes_, gradients[weights_table()]);
}

void LogisticModel::AddFactors(uint32_t factors, double init_scale, TableKeys keys) {
  tables_.push_back({.name = "factors",
                     .kind = TableKind::kSparse,
                     .dim = factors,
                     .rows = 0,
                     .initializer = {.type = InitializerSpec::Type::kNormal, .value = init_scale},
                     .regularised = true,
                     .keys = keys});
}

double LogisticModel::LossOf(float margin, float label) const {
  return LogisticLoss(margin, label);
}
double LogisticModel::SlopeOf(float margin, float label) const {
  return LogisticSlope(margin, label);
}
double LogisticModel::PredictionOf(float margin) const { return Sigmoid(margin); }

}  // namespace seraph
