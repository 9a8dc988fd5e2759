// SPDX-License-Identifier: Apache-2.0
// Losses of one row as functions of the margin, in double.
#ifndef SERAPH_WORKER_MODEL_LOSS_H_
#define SERAPH_WORKER_MODEL_LOSS_H_

#include <algorithm>
#include <cmath>

namespace seraph {

// 1 / (1 + e^-z), without overflow on either side.
inline double Sigmoid(double z) {
  const double e = std::exp(-std::abs(z));  // In (0, 1].
  return z >= 0 ? 1 / (1 + e) : e / (1 + e);
}

// -label log p - (1 - label) log(1 - p) with p = Sigmoid(margin); label is 0 or 1.
inline double LogisticLoss(double margin, double label) {
  return std::max(margin, 0.0) - margin * label + std::log1p(std::exp(-std::abs(margin)));
}
inline double LogisticSlope(double margin, double label) { return Sigmoid(margin) - label; }

inline double SquaredLoss(double margin, double label) {
  return (margin - label) * (margin - label) / 2;
}
inline double SquaredSlope(double margin, double label) { return margin - label; }

}  // namespace seraph

#endif  // SERAPH_WORKER_MODEL_LOSS_H_
