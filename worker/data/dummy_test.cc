// SPDX-License-Identifier: Apache-2.0
#include "gtest/gtest.h"
#include "tests/contract/indexed_format_contract.h"
#include "tests/contract/row_format_contract.h"

namespace seraph {
namespace {

RowFormatContract DummyContract() {
  return {
      .options = {.format = "dummy", .index_base = 1},
      .labelled = [](const std::string& label) { return label + " 1"; },
      .accepted =
          {
              {"+1 1 3 ", 1, {0, 2}, {1, 1}},
              {"1 3", 1, {2}, {1}},
          },
      .refused =
          {
              {"1 3:1", "`3:1` has a value"},
              {"1 4:", "`4:` has a value"},
              {"1 qid:3 1", "`qid:3` has a value"},
              {"1 2,3", "index `2,3` is not a whole number"},
          },
  };
}

IndexedFormatContract DummyIndices() {
  return {.format = "dummy", .feature = [](const std::string& index) { return index; }};
}

INSTANTIATE_TEST_SUITE_P(Dummy, RowFormatContractTest, ::testing::Values(DummyContract()));
INSTANTIATE_TEST_SUITE_P(Dummy, IndexedFormatContractTest, ::testing::Values(DummyIndices()));

}  // namespace
}  // namespace seraph
