// SPDX-License-Identifier: Apache-2.0
// What every text format of rows must hold to. A new format joins with one line in its own test:
//
//   INSTANTIATE_TEST_SUITE_P(Libsvm, RowFormatContractTest, ::testing::Values(LibsvmContract()));
//
// and one more for IndexedFormatContractTest (indexed_format_contract.h) where features have
// indices.
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

struct AcceptedRecord {
  std::string record;
  float label;
  std::vector<uint64_t> keys;
  std::vector<float> values;
  std::vector<uint32_t> fields = {};
  float weight = 1;
};

struct RefusedRecord {
  std::string record;
  std::string named;  // What the error must contain.
};

struct RowFormatContract {
  RowFormat::Options options;
  // A record with this label, whatever it is, and a feature.
  std::function<std::string(const std::string& label)> labelled;
  std::vector<AcceptedRecord> accepted;
  std::vector<RefusedRecord> refused;
};

inline void PrintTo(const RowFormatContract& contract, std::ostream* out) {
  *out << contract.options.format;
}

class RowFormatContractTest : public ::testing::TestWithParam<RowFormatContract> {
 protected:
  // The format bound as to a file that begins with `record`.
  static std::unique_ptr<RowFormat> FormatFor(const std::string& record);
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CONTRACT_ROW_FORMAT_CONTRACT_H_
