// SPDX-License-Identifier: Apache-2.0
// The proximal step of an L1 penalty, shared by the optimizers that take it after a gradient step.
#ifndef SERAPH_SERVER_OPTIMIZER_PROXIMAL_H_
#define SERAPH_SERVER_OPTIMIZER_PROXIMAL_H_

namespace seraph {

// argmin_x of (x - weight)^2 / 2 + threshold |x|: moves `weight` towards zero by `threshold`, and
// stops there. threshold >= 0.
inline float SoftThreshold(float weight, float threshold) {
  if (weight > threshold) return weight - threshold;
  if (weight < -threshold) return weight + threshold;
  return weight == weight ? 0.0f : weight;  // A NaN stays one: divergence must be seen.
}

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_PROXIMAL_H_
