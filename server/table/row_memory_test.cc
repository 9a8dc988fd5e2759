// SPDX-License-Identifier: Apache-2.0
#include "server/table/row_memory.h"

#include <limits>

#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(RowBytesTest, SparseRowsCountTheirPlaceAndTheIndexDenseOnesTheirFloats) {
  EXPECT_EQ(RowBytes(TableKind::kSparse, 1, 0), 4u + 32);
  EXPECT_EQ(RowBytes(TableKind::kSparse, 8, 1), 64u + 32);  // Nine floats lie 64 bytes apart.
  EXPECT_EQ(RowBytes(TableKind::kDense, 8, 1), 36u);
}

TEST(RowBytesTest, ABlockBeyondAnyMemorySaturates) {
  EXPECT_EQ(DenseBlockBytes(10, 2, 2), 160u + 2);
  EXPECT_EQ(DenseBlockBytes(~uint64_t{0}, 4096, 8192), std::numeric_limits<uint64_t>::max());
}

}  // namespace
}  // namespace seraph
