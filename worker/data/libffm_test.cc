// SPDX-License-Identifier: Apache-2.0
#include "gtest/gtest.h"
#include "tests/contract/indexed_format_contract.h"
#include "tests/contract/row_format_contract.h"

namespace seraph {
namespace {

RowFormatContract LibffmContract() {
  return {
      .options = {.format = "libffm", .index_base = 1},
      .labelled = [](const std::string& label) { return label + " 0:1:1"; },
      .accepted =
          {
              {"+1 0:1:0.7 2:3:1 ", 1, {0, 2}, {0.7f, 1}, {0, 2}},
              {"0 # nothing", 0, {}, {}},
              // Fields are not counted from a base, and one is as good as another.
              {"1 4294967295:1:1 0:18446744073709551615:2",
               1,
               {0, 18446744073709551614u},
               {1, 2},
               {4294967295, 0}},
              // Sorted by index, then field; a pair that stands twice is summed, in the order of
              // the line.
              {"1 7:2:1 0:3:1 3:2:2 7:2:0.5", 1, {1, 1, 2}, {2, 1.5f, 1}, {3, 7, 0}},
              {"1 1:1:0 2:2:5 2:2:-5 3:3:1e-320 4:4:-2e-2", 1, {3}, {-0.02f}, {4}},
          },
      .refused =
          {
              {"1 0:12:0.5 34:1 2:56:1", "`34:1` is not of the form field:index:value"},
              {"1 5", "`5` is not of the form field:index:value"},
              {"1 0:1:", "`0:1:` is not of the form"},
              {"1 :", "`:` is not of the form"},
              {"1 :1:1", "field `` is not a whole number"},
              {"1 1::1", "index `` is not a whole number"},
              {"1 0:1:1:1", "value `1:1` is not a number"},
              {"1 -1:1:1", "field `-1` is negative"},
              {"1 x:1:1", "field `x` is not a whole number"},
              {"1 4294967296:1:1", "field 4294967296 does not fit in 32 bits"},
              {"1 99999999999999999999:1:1", "field `99999999999999999999` does not fit in 64"},
              {"1 0:0:1", "index 0 is below index_base 1"},
              {"1 0:1:nan", "value `nan` is not a number"},
              {"1 0:1:1e39", "value `1e39` is too large"},
              {"1 0:1:3e38 0:1:3e38", "the values of index 1 sum to more than"},
              {"1 qid:5 0:1:1", "`qid:5` is not of the form"},
          },
  };
}

IndexedFormatContract LibffmIndices() {
  return {.format = "libffm",
          .feature = [](const std::string& index) { return "3:" + index + ":1"; }};
}

INSTANTIATE_TEST_SUITE_P(Libffm, RowFormatContractTest, ::testing::Values(LibffmContract()));
INSTANTIATE_TEST_SUITE_P(Libffm, IndexedFormatContractTest, ::testing::Values(LibffmIndices()));

}  // namespace
}  // namespace seraph
