// SPDX-License-Identifier: Apache-2.0
#include "gtest/gtest.h"
#include "tests/contract/indexed_format_contract.h"
#include "tests/contract/row_format_contract.h"

namespace seraph {
namespace {

RowFormatContract LibsvmContract() {
  return {
      .options = {.format = "libsvm", .index_base = 1},
      .labelled = [](const std::string& label) { return label + " 1:1"; },
      .accepted =
          {
              {"+1 1:0.7 3:1 ", 1, {0, 2}, {0.7f, 1}},
              {"0 1:.5 2:+.5 3:5. 4:-2e-2", 0, {0, 1, 2, 3}, {.5f, .5f, 5, -0.02f}},
              {"1 6:0.00017065995780200002 8:0.000170659957802",
               1,
               {5, 7},
               {0.00017065995780200002f, 0.000170659957802f}},
              {"-1 1:50233425598702010000.00", -1, {0}, {50233425598702010000.00f}},
              // A zero is an absent feature, also one that comes of a sum or is too small.
              {"1 1:0 2:-0.0 3:1e-320 4:2 5:3 5:-3", 1, {3}, {2}},
              {"1 1:1e-40", 1, {0}, {1e-40f}},
              {"1 2:1 1:1 2:0.5", 1, {0, 1}, {1, 1.5f}},
              {"0 qid:11909 1:0.5", 0, {0}, {0.5f}},
              {"0 qid:18446744073709551615", 0, {}, {}},
          },
      .refused =
          {
              {"1 3", "`3` has no value"},
              {"1 4:", "`4:` has no value"},
              {"1 :", "`:` has no value"},
              {"1 :4", "`:4` has no index"},
              {"1 1:nan", "value `nan` is not a number"},
              {"1 1:inf 2:1", "value `inf` is not a number"},
              {"1 1:-inf", "value `-inf` is not a number"},
              {"1 7:0x1p-2", "value `0x1p-2` is not a number"},
              {"1 1:1e39", "value `1e39` is too large"},
              {"1 1:-1.79769313486e+308", "value `-1.79769313486e+308` is too large"},
              {"1 1:1:1", "value `1:1` is not a number"},
              {"1 2:3:1", "value `3:1` is not a number"},
              {"1 1:2,2:3", "value `2,2:3` is not a number"},
              {"1 1:3e38 1:3e38", "the values of index 1 sum to more than"},
              {"1 qid:x 1:1", "qid `x` is not a whole number"},
              {"1 qid:-1 1:1", "qid `-1` is negative"},
              {"1 qid:18446744073709551616", "does not fit in 64 bits"},
              {"1 1:1 qid:5", "index `qid` is not a whole number"},
              {"1,0.5,3", "label `1,0.5,3` is not a number"},
          },
  };
}

IndexedFormatContract LibsvmIndices() {
  return {.format = "libsvm", .feature = [](const std::string& index) { return index + ":1"; }};
}

INSTANTIATE_TEST_SUITE_P(Libsvm, RowFormatContractTest, ::testing::Values(LibsvmContract()));
INSTANTIATE_TEST_SUITE_P(Libsvm, IndexedFormatContractTest, ::testing::Values(LibsvmIndices()));

}  // namespace
}  // namespace seraph
