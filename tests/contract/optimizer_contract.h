// SPDX-License-Identifier: Apache-2.0
// What every optimizer must hold to. A new optimizer joins with one line in its own test, beside an
// oracle that is written from its formula:
//
//   INSTANTIATE_TEST_SUITE_P(Sgd, OptimizerContractTest, ::testing::Values(SgdContract()));
#ifndef SERAPH_TESTS_CONTRACT_OPTIMIZER_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_OPTIMIZER_CONTRACT_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "common/table_spec.h"
#include "gtest/gtest.h"
#include "server/optimizer/optimizer.h"

namespace seraph {

// One weight and its state in double precision, written without looking at the product.
class CoordinateOracle {
 public:
  virtual ~CoordinateOracle() = default;
  virtual double Step(double gradient) = 0;  // Returns the weight after the step.
};

struct RefusedParameter {
  OptimizerSpec spec;
  std::string named;  // What the error must contain: "learning_rate 0".
};

struct OptimizerContract {
  OptimizerSpec spec;
  std::function<std::unique_ptr<CoordinateOracle>(const OptimizerSpec& spec, double weight)> oracle;
  std::vector<RefusedParameter> refused;
};

inline void PrintTo(const OptimizerContract& contract, std::ostream* out) {
  *out << contract.spec.type << " l1=" << contract.spec.l1 << " l2=" << contract.spec.l2;
}

class OptimizerContractTest : public ::testing::TestWithParam<OptimizerContract> {
 protected:
  // A new optimizer of the contract's spec.
  static std::unique_ptr<Optimizer> Create();

  // `count` fresh rows of `dim` random weights and their state, one after another.
  static std::vector<float> FreshRows(const Optimizer& optimizer, uint32_t dim, size_t count,
                                      uint64_t seed);
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_OPTIMIZER_CONTRACT_H_
