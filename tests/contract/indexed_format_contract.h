// SPDX-License-Identifier: Apache-2.0
// What every text format of rows must hold to whose features have indices and are separated by
// blanks:
//
//   INSTANTIATE_TEST_SUITE_P(Dummy, IndexedFormatContractTest, ::testing::Values(DummyIndices()));
#ifndef SERAPH_TESTS_CONTRACT_INDEXED_FORMAT_CONTRACT_H_
#define SERAPH_TESTS_CONTRACT_INDEXED_FORMAT_CONTRACT_H_

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "worker/data/row_format.h"

namespace seraph {

struct IndexedFormatContract {
  std::string format;
  // The text of a feature with this index and the value 1; of one field where there are fields.
  std::function<std::string(const std::string& index)> feature;
};

inline void PrintTo(const IndexedFormatContract& contract, std::ostream* out) {
  *out << contract.format;
}

class IndexedFormatContractTest : public ::testing::TestWithParam<IndexedFormatContract> {
 protected:
  static std::unique_ptr<RowFormat> Create(uint64_t index_base);

  // `label` and the features, a blank between.
  static std::string Line(const std::string& label, const std::vector<std::string>& indices);
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_INDEXED_FORMAT_CONTRACT_H_
