// SPDX-License-Identifier: Apache-2.0
#include "worker/model/model.h"

namespace seraph {

void AddRow(const Model& model, float margin, float label, EvaluationSums* sums) {
  ++sums->rows;
  sums->loss += model.Loss(margin, label);
  sums->label += label;
  sums->label_squared += static_cast<double>(label) * label;
  if (model.prediction_kind() == PredictionKind::kBinary) {
    // A margin of zero is a probability of 0.5 and counts as negative.
    if ((margin > 0) == (label > 0.5f)) ++sums->correct;
  } else {
    const double error = static_cast<double>(margin) - label;
    sums->error_squared += error * error;
  }
}

}  // namespace seraph
