// SPDX-License-Identifier: Apache-2.0
// A model: which tables it needs, and what a batch's rows and a table's rows give. One file each;
// joined by the registry (model/registry.h) and the contract suite (gradients against finite
// differences).
#ifndef SERAPH_WORKER_MODEL_MODEL_H_
#define SERAPH_WORKER_MODEL_MODEL_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "common/evaluation.h"
#include "common/table_spec.h"
#include "worker/compute/backend.h"
#include "worker/data/batch.h"

namespace seraph {

// A table of a model. Optimizer and consistency are the job's to say.
struct ModelTable {
  std::string name;  // bias | weights | factors | layer/NAME
  TableKind kind;
  uint32_t dim;   // Floats per row.
  uint64_t rows;  // Dense only.
  InitializerSpec initializer;
  bool regularised;  // l1 and l2 of the job apply (never to the bias).
  bool per_feature;  // Rows pulled for a batch are those of batch.keys; otherwise all rows,
                     // 0..rows-1.
};

// Values, or gradients, of each table of tables(), in that order: [rows of the batch's keys or of
// the table, dim].
using ModelValues = std::vector<absl::Span<const float>>;
using ModelGradients = std::vector<absl::Span<float>>;

// Stateless after creation but for scratch memory: one a worker slot.
class Model {
 public:
  struct Options {
    std::string type;      // Registry name.
    uint32_t factors = 8;  // fm
    bool bias = true;
    double init_scale = 0.05;  // fm: standard deviation of fresh factors.
  };
  virtual ~Model() = default;

  virtual PredictionKind prediction_kind() const = 0;
  virtual const std::vector<ModelTable>& tables() const = 0;

  // margin [batch.rows()]: the raw output (log-odds for binary models, the value for regression).
  virtual void Margins(const Batch& batch, const ModelValues& values, Backend* backend,
                       absl::Span<float> margin) const = 0;

  // Gradients of the sum of the batch's losses, each times its row's weight, with respect to
  // `values`, given the margins; overwrites `gradients`. Labels are 0/1 for binary models. No
  // regularisation: the server's optimizer does it.
  virtual void Gradients(const Batch& batch, const ModelValues& values,
                         absl::Span<const float> margin, Backend* backend,
                         const ModelGradients& gradients) const = 0;

  // Loss of one row in nats or squared units, in double: log(1 + e^-z) terms for binary, (margin -
  // label)^2 / 2 for regression.
  virtual double Loss(float margin, float label) const = 0;
  // What `predict` writes: probability or value.
  virtual double Prediction(float margin) const = 0;
};

// Adds one scored row: loss, correct, label and error sums.
void AddRow(const Model& model, float margin, float label, EvaluationSums* sums);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_MODEL_H_
