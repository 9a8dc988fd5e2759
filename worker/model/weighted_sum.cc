// SPDX-License-Identifier: Apache-2.0
#include "worker/model/weighted_sum.h"

#include <algorithm>

namespace seraph {

WeightedSumModel::WeightedSumModel(bool bias) : has_bias_(bias) {
  if (bias) {
    tables_.push_back({.name = "bias",
                       .kind = TableKind::kDense,
                       .dim = 1,
                       .rows = 1,
                       .initializer = {},
                       .regularised = false,
                       .per_feature = false});
  }
  tables_.push_back({.name = "weights",
                     .kind = TableKind::kSparse,
                     .dim = 1,
                     .rows = 0,
                     .initializer = {},
                     .regularised = true,
                     .per_feature = true});
}

void WeightedSumModel::Margins(const Batch& batch, const ModelValues& values, Backend* backend,
                               absl::Span<float> margin) const {
  std::fill(margin.begin(), margin.end(), has_bias_ ? values[0][0] : 0.0f);
  backend->LinearForward(batch, values[weights_table()], margin);
}

void WeightedSumModel::Gradients(const Batch& batch, const ModelValues& values,
                                 absl::Span<const float> margin, Backend* backend,
                                 const ModelGradients& gradients) const {
  slopes_.resize(batch.rows());
  double bias_gradient = 0;
  for (size_t r = 0; r < batch.rows(); ++r) {
    slopes_[r] = static_cast<float>(batch.weights[r] * Slope(margin[r], batch.labels[r]));
    bias_gradient += slopes_[r];
  }
  for (const absl::Span<float>& gradient : gradients) {
    std::fill(gradient.begin(), gradient.end(), 0.0f);
  }
  if (has_bias_) gradients[0][0] = static_cast<float>(bias_gradient);
  backend->LinearBackward(batch, slopes_, gradients[weights_table()]);
}

}  // namespace seraph
