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

// A row and its state in double precision, written without looking at the product.
class RowOracle {
 public:
  virtual ~RowOracle() = default;
  // [dim] gradients; returns the [dim] weights after the step. The rate is the spec's times
  // `rate_scale`.
  virtual std::vector<double> Step(const std::vector<float>& gradients, double rate_scale) = 0;
};

// The same of one weight, for optimizers whose coordinates do not know each other.
class CoordinateOracle {
 public:
  virtual ~CoordinateOracle() = default;
  // Returns the weight after the step.
  virtual double Step(double gradient, double rate_scale) = 0;
};

using NewRowOracle = std::function<std::unique_ptr<RowOracle>(const OptimizerSpec& spec,
                                                              const std::vector<double>& weights)>;

// A row of CoordinateOracles of the type given, made from (spec, weight).
template <typename Oracle>
NewRowOracle EachCoordinate() {
  class Row : public RowOracle {
   public:
    Row(const OptimizerSpec& spec, const std::vector<double>& weights) {
      for (const double weight : weights) {
        coordinates_.push_back(std::make_unique<Oracle>(spec, weight));
      }
    }
    std::vector<double> Step(const std::vector<float>& gradients, double rate_scale) override {
      std::vector<double> weights;
      for (size_t d = 0; d < gradients.size(); ++d) {
        weights.push_back(coordinates_[d]->Step(gradients[d], rate_scale));
      }
      return weights;
    }

   private:
    std::vector<std::unique_ptr<CoordinateOracle>> coordinates_;
  };
  return [](const OptimizerSpec& spec, const std::vector<double>& weights) {
    return std::make_unique<Row>(spec, weights);
  };
}

struct RefusedParameter {
  OptimizerSpec spec;
  std::string named;  // What the error must contain: "learning_rate 0".
};

struct OptimizerContract {
  OptimizerSpec spec;
  NewRowOracle oracle;
  std::vector<RefusedParameter> refused;
  bool takes_schedules = true;
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
