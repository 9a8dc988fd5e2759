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

// Values of the tables for one row of a batch, in double: [table][row pulled for the batch, dim].
using OracleValues = std::vector<std::vector<double>>;

// Numbers of one row: one an output.
using OracleRow = std::vector<double>;

struct ModelContract {
  Model::Options options;
  std::vector<std::string> tables;  // Names, in order.
  uint32_t outputs = 1;
  std::vector<float> labels = {0, 1};  // Some that the model takes.
  // The margin of row r in double precision, written without looking at the product.
  std::function<OracleRow(const ModelInput& input, const OracleValues& values, size_t r)> margin;
  // The loss and the prediction of a row, plainly.
  std::function<double(const OracleRow& margin, double label)> loss;
  std::function<OracleRow(const OracleRow& margin)> prediction;
  // Of losses with kinks: whether one is near, where differences say nothing of the slope.
  std::function<bool(double margin, double label)> near_kink = nullptr;
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
