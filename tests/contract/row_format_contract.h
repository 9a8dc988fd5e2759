// SPDX-License-Identifier: Apache-2.0
// What every text format of rows must hold to. A new format joins with one line in its own test:
//
//   INSTANTIATE_TEST_SUITE_P(Libsvm, RowFormatContractTest, ::testing::Values(LibsvmContract()));
#ifndef SERAPH_TESTS_CONTRACT_ROW_FORMAT_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_ROW_FORMAT_CONTRACT_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "worker/data/row_format.h"

namespace seraph {

struct AcceptedLine {
  std::string line;
  float label;
  std::vector<uint64_t> keys;
  std::vector<float> values;
};

struct RefusedLine {
  std::string line;
  std::string named;  // What the error must contain.
};

struct RowFormatContract {
  std::string format;
  // The text of a feature with this index and the value 1.
  std::function<std::string(const std::string& index)> feature;
  std::vector<AcceptedLine> accepted;  // At index_base 1.
  std::vector<RefusedLine> refused;    // At index_base 1.
};

inline void PrintTo(const RowFormatContract& contract, std::ostream* out) {
  *out << contract.format;
}

class RowFormatContractTest : public ::testing::TestWithParam<RowFormatContract> {
 protected:
  static std::unique_ptr<RowFormat> Create(uint64_t index_base);

  // `label` and the features, a blank between.
  static std::string Line(const std::string& label, const std::vector<std::string>& indices);
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_ROW_FORMAT_CONTRACT_H_
