// SPDX-License-Identifier: Apache-2.0
// What the built-in models share: an optional bias, a weight a feature, and a loss of the margin.
#ifndef SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_
#define SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_

#include <vector>

#include "worker/model/model.h"

namespace seraph {

// margin = bias + w . x, for each output. Tables: bias (if asked for), weights, both with a float
// an output. Subclasses give the loss and may add tables and terms behind these.
class WeightedSumModel : public Model {
 public:
  uint32_t outputs() const final { return outputs_; }
  const std::vector<ModelTable>& tables() const final { return tables_; }

  void Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
               absl::Span<float> margins) const override;
  void Gradients(const ModelInput& input, const ModelValues& values,
                 absl::Span<const float> margins, Backend* backend,
                 const ModelGradients& gradients) const override;

 protected:
  WeightedSumModel(bool bias, uint32_t outputs);

  // d loss / d margin of one row; both spans are [outputs()].
  virtual void Slopes(absl::Span<const float> margin, float label,
                      absl::Span<double> slopes) const = 0;

  // Places in ModelValues.
  size_t weights_table() const { return has_bias_ ? 1 : 0; }
  size_t next_table() const { return weights_table() + 1; }
  // Of the batch of the last call of Gradients: the row's weight times its slopes.
  absl::Span<const float> slopes() const { return slopes_; }

  std::vector<ModelTable> tables_;

 private:
  const bool has_bias_;
  const uint32_t outputs_;
  mutable std::vector<float> slopes_;  // Scratch.
  mutable std::vector<double> slope_;  // Of one row.
  mutable std::vector<double> bias_gradient_;
};

// A weighted sum of one output: subclasses speak of numbers instead of spans.
class OneOutputModel : public WeightedSumModel {
 public:
  double Loss(absl::Span<const float> margin, float label) const final {
    return LossOf(margin[0], label);
  }
  void Predict(absl::Span<const float> margin, absl::Span<double> prediction) const final {
    prediction[0] = PredictionOf(margin[0]);
  }

 protected:
  explicit OneOutputModel(bool bias) : WeightedSumModel(bias, 1) {}

  virtual double LossOf(float margin, float label) const = 0;
  virtual double SlopeOf(float margin, float label) const = 0;  // d loss / d margin
  virtual double PredictionOf(float margin) const = 0;

 private:
  void Slopes(absl::Span<const float> margin, float label, absl::Span<double> slopes) const final {
    slopes[0] = SlopeOf(margin[0], label);
  }
};

// One output that is the log-odds of label 1, learned by its logloss: the loss alone, or with the
// terms that subclasses add.
class LogisticModel : public OneOutputModel {
 public:
  explicit LogisticModel(bool bias) : OneOutputModel(bias) {}

  PredictionKind prediction_kind() const final { return PredictionKind::kBinary; }

 protected:
  // Adds the sparse table `factors` behind the others.
  void AddFactors(uint32_t factors, double init_scale, TableKeys keys);

 private:
  double LossOf(float margin, float label) const final;
  double SlopeOf(float margin, float label) const final;
  double PredictionOf(float margin) const final;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_WEIGHTED_SUM_H_
