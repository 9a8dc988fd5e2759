// SPDX-License-Identifier: Apache-2.0
#include "scheduler/placement.h"

#include <algorithm>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;

std::vector<uint32_t> Place(const TableSpec& spec, size_t servers) {
  return ContiguousPlacement().Place(spec, servers);
}

TableSpec Sparse(uint32_t partitions) {
  TableSpec spec;
  spec.name = "weights";
  spec.partitions = partitions;
  return spec;
}
TableSpec Dense(uint64_t rows, uint32_t partitions) {
  TableSpec spec = Sparse(partitions);
  spec.kind = TableKind::kDense;
  spec.rows = rows;
  return spec;
}

TEST(PlacementTest, RangesAreContiguousAndEven) {
  EXPECT_THAT(Place(Sparse(8), 3), ElementsAre(0, 0, 0, 1, 1, 1, 2, 2));
  for (size_t servers = 1; servers <= 300; servers += 7) {
    const std::vector<uint32_t> owner = Place(Sparse(256), servers);
    ASSERT_EQ(owner.size(), 256u);
    EXPECT_TRUE(std::is_sorted(owner.begin(), owner.end()));
    std::vector<size_t> sizes(servers);
    for (const uint32_t o : owner) ++sizes.at(o);
    const auto [least, most] = std::minmax_element(sizes.begin(), sizes.end());
    EXPECT_LE(*most - *least, 1u) << servers << " servers";
  }
}

TEST(PlacementTest, FewUsedPartitionsAreSpread) {
  // Blocks of one row: rows 0..2 live in partitions 0..2.
  const std::vector<uint32_t> owner = Place(Dense(3, 256), 3);
  EXPECT_THAT(std::vector<uint32_t>(owner.begin(), owner.begin() + 4), ElementsAre(0, 1, 2, 2));
  EXPECT_EQ(Place(Dense(1, 256), 4)[0], 0u);
  EXPECT_EQ(Place(Dense(2, 256), 4)[1], 2u);
}

TEST(PlacementTest, UsedPartitionsOfDenseTables) {
  EXPECT_EQ(UsedPartitions(Dense(1, 256)), 1u);
  EXPECT_EQ(UsedPartitions(Dense(256, 256)), 256u);
  EXPECT_EQ(UsedPartitions(Dense(257, 256)), 129u);  // Blocks of two.
  EXPECT_EQ(UsedPartitions(Sparse(16)), 16u);
}

}  // namespace
}  // namespace seraph
