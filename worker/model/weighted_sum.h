// SPDX-License-Identifier: Apache-2.0
// What the built-in models share: an optional bias, a weight a feature, and a loss of the margin.
#ifndef SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_
#define SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_

#include <vector>

#include "worker/model/model.h"

namespace seraph {

// margin = bias + w . x. Tables: bias (if asked for), weights. Subclasses give the loss and may add
// tables and terms behind these.
class WeightedSumModel : public Model {
 public:
  const std::vector<ModelTable>& tables() const override { return tables_; }

  void Margins(const Batch& batch, const ModelValues& values, Backend* backend,
               absl::Span<float> margin) const override;
  void Gradients(const Batch& batch, const ModelValues& values, absl::Span<const float> margin,
                 Backend* backend, const ModelGradients& gradients) const override;

 protected:
  explicit WeightedSumModel(bool bias);

  // d loss / d margin of one row.
  virtual double Slope(float margin, float label) const = 0;

  // Places in ModelValues.
  size_t weights_table() const { return has_bias_ ? 1 : 0; }
  size_t next_table() const { return weights_table() + 1; }
  // Of the batch of the last call of Gradients: the row's weight times its slope.
  absl::Span<const float> slopes() const { return slopes_; }

  std::vector<ModelTable> tables_;

 private:
  const bool has_bias_;
  mutable std::vector<float> slopes_;  // Scratch.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_
