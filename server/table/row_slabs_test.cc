// SPDX-License-Identifier: Apache-2.0
#include "server/table/row_slabs.h"

#include <algorithm>
#include <cstdint>
#include <vector>

#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(RowSlabsTest, StrideIsThePowerOfTwoUpToALineAndThenSixteenBytes) {
  for (const auto& [width, bytes] : std::vector<std::pair<size_t, size_t>>{
           {1, 4}, {2, 8}, {3, 16}, {4, 16}, {5, 32}, {9, 64}, {16, 64}, {17, 80}, {1025, 4112}}) {
    EXPECT_EQ(RowSlabs::StrideFloats(width) * sizeof(float), bytes) << width;
  }
}

TEST(RowSlabsTest, RowsAreZeroAlignedApartAndStayWhereTheyAre) {
  for (const size_t width : {1, 3, 5, 16, 17, 1025, 70'000}) {
    RowSlabs slabs(width);
    const size_t stride_bytes = RowSlabs::StrideFloats(width) * sizeof(float);
    const size_t alignment = std::min<size_t>(stride_bytes > 64 ? 16 : 64, stride_bytes);
    std::vector<float*> rows;
    for (int i = 0; i < 300; ++i) {
      float* const row = slabs.Allocate();
      ASSERT_EQ(reinterpret_cast<uintptr_t>(row) % alignment, 0u) << width;
      ASSERT_TRUE(std::all_of(row, row + width, [](float value) { return value == 0; }));
      std::fill_n(row, width, static_cast<float>(i + 1));
      rows.push_back(row);
    }
    for (int i = 0; i < 300; ++i) {
      ASSERT_TRUE(std::all_of(rows[i], rows[i] + width, [i](float v) { return v == i + 1; }));
    }
  }
}

}  // namespace
}  // namespace seraph
