// SPDX-License-Identifier: Apache-2.0
// A model: which tables it needs, and what a batch's rows and a table's rows give. One file each;
// joined by the registry (model/registry.h) and the contract suite (gradients against finite
// differences).
#ifndef SERAPH_WORKER_MODEL_MODEL_H_
#define SERAPH_WORKER_MODEL_MODEL_H_

#include <algorithm>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "absl/types/span.h"
#include "common/evaluation.h"
#include "common/table_spec.h"
#include "worker/compute/backend.h"
#include "worker/data/batch.h"
#include "worker/data/field_pairs.h"

namespace seraph {

// Which rows of a table are pulled for a batch.
enum class TableKeys {
  kAll,            // 0..rows-1.
  kFeatures,       // Those of batch.keys.
  kFeatureFields,  // Those of the batch's FieldPairs.
};

// A table of a model. Optimizer and consistency are the job's to say.
struct ModelTable {
  std::string name;  // bias | weights | factors | layer/NAME
  TableKind kind;
  uint32_t dim;   // Floats per row.
  uint64_t rows;  // Dense only.
  InitializerSpec initializer;
  bool regularised;  // l1 and l2 of the job apply (never to the bias).
  TableKeys keys;
};

// A batch as models see it.
struct ModelInput {
  const Batch& batch;
  // The batch's pairs, for models with tables of them; else null.
  const FieldPairs* pairs = nullptr;
};

// Values, or gradients, of each table of tables(), in that order: [rows pulled for the batch, dim].
using ModelValues = std::vector<absl::Span<const float>>;
using ModelGradients = std::vector<absl::Span<float>>;

// Stateless after creation but for scratch memory: one a worker slot.
class Model {
 public:
  struct Options {
    std::string type;      // Registry name.
    uint32_t factors = 8;  // fm, ffm
    bool bias = true;
    double init_scale = 0.05;    // fm, ffm: standard deviation of fresh factors.
    uint32_t classes = 2;        // softmax
    std::string loss = "hinge";  // svm: hinge | squared_hinge
    double delta = 1;            // huber: the error from which on the loss is linear.
  };
  virtual ~Model() = default;

  virtual PredictionKind prediction_kind() const = 0;
  // Numbers that a row's margin has, and its prediction: one, or one a class.
  virtual uint32_t outputs() const { return 1; }
  // Of numbers: whether labels may not be negative.
  virtual bool counts() const { return false; }
  // Margins above it are numbers too large to predict or to learn from.
  virtual float largest_margin() const { return std::numeric_limits<float>::max(); }
  virtual const std::vector<ModelTable>& tables() const = 0;

  // margins [rows of the batch, outputs()]: the raw output (log-odds for binary models, the value
  // for regression, the logits of classes).
  virtual void Margins(const ModelInput& input, const ModelValues& values, Backend* backend,
                       absl::Span<float> margins) const = 0;

  // Gradients of the sum of the batch's losses, each times its row's weight, with respect to
  // `values`, given the margins; overwrites `gradients`. Labels are those of the kind of prediction
  // (0 and 1, classes, numbers). No regularisation: the server's optimizer does it.
  virtual void Gradients(const ModelInput& input, const ModelValues& values,
                         absl::Span<const float> margins, Backend* backend,
                         const ModelGradients& gradients) const = 0;

  // Loss of one row, in double, from its margin [outputs()]: in nats for probabilities, half a
  // squared error for regression, else the model's own (docs/MODELS.md).
  virtual double Loss(absl::Span<const float> margin, float label) const = 0;
  // What `predict` writes of one row: probability or value, or a probability a class. Both are
  // [outputs()].
  virtual void Predict(absl::Span<const float> margin, absl::Span<double> prediction) const = 0;
};

// Whether the model's rows must have fields: it has tables of pairs of features and fields.
inline bool NeedsFields(const Model& model) {
  return std::any_of(model.tables().begin(), model.tables().end(), [](const ModelTable& table) {
    return table.keys == TableKeys::kFeatureFields;
  });
}

// The margin of row r among those of a batch.
inline absl::Span<const float> MarginOf(const Model& model, absl::Span<const float> margins,
                                        size_t r) {
  return margins.subspan(r * model.outputs(), model.outputs());
}

// The class with the largest number; the first of equal ones.
template <typename T>
size_t Likeliest(absl::Span<const T> numbers) {
  return static_cast<size_t>(std::max_element(numbers.begin(), numbers.end()) - numbers.begin());
}

// Adds one scored row, given its margin: loss, correct, label and error sums.
void AddRow(const Model& model, absl::Span<const float> margin, float label, EvaluationSums* sums);

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_MODEL_H_
