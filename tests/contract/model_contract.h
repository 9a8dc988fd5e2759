// SPDX-License-Identifier: Apache-2.0
// What every model must hold to, on the CPU back end. A new model joins with one line in its own
// test:
//
//   INSTANTIATE_TEST_SUITE_P(Fm, ModelContractTest, ::testing::Values(ModelContract{...}));
#ifndef SERAPH_TESTS_CONTRACT_MODEL_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_MODEL_CONTRACT_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "worker/model/model.h"

namespace seraph {

// Values of the tables for one row of a batch, in double: [table][row of the batch's keys or of the
// table, dim].
using OracleValues = std::vector<std::vector<double>>;

struct ModelContract {
  Model::Options options;
  std::vector<std::string> tables;  // Names, in order.
  // The margin of row r in double precision, written without looking at the product.
  std::function<double(const Batch& batch, const OracleValues& values, size_t r)> margin;
  // The loss of a row, plainly.
  std::function<double(double margin, double label)> loss;
};

inline void PrintTo(const ModelContract& contract, std::ostream* out) {
  *out << contract.options.type << (contract.options.bias ? "" : " without bias");
}

class ModelContractTest : public ::testing::TestWithParam<ModelContract> {
 protected:
  static std::unique_ptr<Model> Create();
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_MODEL_CONTRACT_H_
