// SPDX-License-Identifier: Apache-2.0
// How a gradient changes a row. One file per optimizer, each joined by the registry and by the
// contract suite (tests/contract/optimizer_contract.h) in a line.
#ifndef SERAPH_SERVER_OPTIMIZER_OPTIMIZER_H_
#define SERAPH_SERVER_OPTIMIZER_OPTIMIZER_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/table_spec.h"

namespace seraph {

// Immutable and thread-safe. A row is `dim` weights followed by StateWidth(dim) floats of optimizer
// state, in one piece.
class Optimizer {
 public:
  virtual ~Optimizer() = default;

  virtual uint32_t StateWidth(uint32_t dim) const = 0;

  // The state of a fresh row whose weights are already in place. `state` has
  // StateWidth(weights.size()) floats.
  virtual void InitState(absl::Span<const float> weights, absl::Span<float> state) const = 0;

  // One step for each row: rows[i] points at a row, gradients is [rows.size(), dim]. Rows are
  // distinct. Regularisation acts on the rows of the call only (lazily). The step's learning rate
  // is the spec's times `rate_scale`, from 0 to 1: what the spec's schedule says of it
  // (server/optimizer/schedule.h). REQUIRES: gradients are finite. Results do not depend on how
  // rows are split over calls.
  virtual void Apply(uint32_t dim, absl::Span<float* const> rows, absl::Span<const float> gradients,
                     float rate_scale) const = 0;

  // The weights of a row were set or added to past this optimizer: fits the state to them, so that
  // the next step goes on from the new weights, and keeps the rest of it. Nothing to do where a
  // step starts from the weights anyway.
  virtual void WeightsChanged(absl::Span<const float> weights, absl::Span<float> state) const {}
};

// INVALID_ARGUMENT: an unknown type (with the nearest name), a parameter out of its range, named
// with its value, or a schedule that is not right or that the optimizer does not have.
absl::StatusOr<std::unique_ptr<Optimizer>> NewOptimizer(const OptimizerSpec& spec);

std::vector<std::string> OptimizerNames();  // Sorted.

// Whether the optimizer has the parameter, called as the field of OptimizerSpec is. False for an
// unknown type.
bool OptimizerHasParameter(const std::string& type, const std::string& name);

// The parameters of an optimizer of which nothing is said but its type.
OptimizerSpec OptimizerDefaults(const std::string& type);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_OPTIMIZER_H_
