// SPDX-License-Identifier: Apache-2.0
#include "worker/model/model.h"

namespace seraph {

void AddRow(const Model& model, absl::Span<const float> margin, float label, EvaluationSums* sums) {
  ++sums->rows;
  sums->loss += model.Loss(margin, label);
  sums->label += label;
  sums->label_squared += static_cast<double>(label) * label;
  switch (TraitsOf(model.prediction_kind()).labels) {
    case LabelKind::kBinary:
      // A margin of zero is a probability of 0.5 and counts as negative.
      if ((margin[0] > 0) == (label > 0.5f)) ++sums->correct;
      return;
    case LabelKind::kClasses:
      if (static_cast<float>(Likeliest(margin)) == label) ++sums->correct;
      return;
    case LabelKind::kNumber: {
      double prediction = 0;
      model.Predict(margin, absl::MakeSpan(&prediction, 1));
      const double error = prediction - label;
      sums->error_squared += error * error;
      return;
    }
  }
}

}  // namespace seraph
