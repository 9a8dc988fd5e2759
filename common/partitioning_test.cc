// SPDX-License-Identifier: Apache-2.0
#include "common/partitioning.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <set>
#include <vector>

#include "gtest/gtest.h"

namespace seraph {
namespace {

constexpr uint64_t kKeys = 100000;

TableSpec Sparse(uint32_t partitions) {
  TableSpec spec;
  spec.partitions = partitions;
  return spec;
}

TableSpec Dense(uint64_t rows, uint32_t partitions) {
  TableSpec spec;
  spec.kind = TableKind::kDense;
  spec.rows = rows;
  spec.partitions = partitions;
  return spec;
}

// Keys of the fullest partition over the mean.
double Skew(uint32_t partitions, const std::function<uint64_t(uint64_t)>& key) {
  const TableSpec spec = Sparse(partitions);
  std::vector<uint64_t> count(partitions);
  for (uint64_t i = 0; i < kKeys; ++i) ++count[PartitionOf(spec, key(i))];
  const double mean = static_cast<double>(kKeys) / partitions;
  return static_cast<double>(*std::max_element(count.begin(), count.end())) / mean;
}

TEST(PartitioningTest, MultiplesOfAnyNumberSpreadEvenly) {
  for (const uint64_t n :
       {uint64_t{2}, uint64_t{3}, uint64_t{10}, uint64_t{64}, uint64_t{256}, uint64_t{1000},
        uint64_t{1} << 20, uint64_t{1} << 32, uint64_t{1} << 40}) {
    for (const uint32_t partitions : {16, 256}) {
      EXPECT_LT(Skew(partitions, [n](uint64_t i) { return i * n; }), 1.3) << n;
    }
  }
}

TEST(PartitioningTest, SmallNumbersSpreadEvenly) {
  EXPECT_LT(Skew(256, [](uint64_t i) { return i; }), 1.3);
}

TEST(PartitioningTest, LargestNumbersSpreadEvenly) {
  EXPECT_LT(Skew(256, [](uint64_t i) { return ~i; }), 1.3);
}

TEST(PartitioningTest, TimestampsSpreadEvenly) {
  constexpr uint64_t kSecond = 1800000000;
  EXPECT_LT(Skew(256, [](uint64_t i) { return kSecond + i; }), 1.3);
  EXPECT_LT(Skew(256, [](uint64_t i) { return (kSecond + i) * 1000; }), 1.3);
  EXPECT_LT(Skew(256, [](uint64_t i) { return (kSecond + i) * 1000000; }), 1.3);
}

TEST(PartitioningTest, EveryKeyHasAPartition) {
  for (const uint32_t partitions : {1, 2, 65536}) {
    for (const uint64_t key : {uint64_t{0}, uint64_t{1}, uint64_t{1} << 63, ~uint64_t{0}}) {
      EXPECT_LT(PartitionOf(Sparse(partitions), key), partitions);
    }
  }
}

// Halving the number of partitions joins neighbours: the high bits of one hash decide.
TEST(PartitioningTest, CoarserPartitionsAreUnionsOfFinerOnes) {
  for (uint64_t key = 0; key < 1000; ++key) {
    EXPECT_EQ(PartitionOf(Sparse(128), key), PartitionOf(Sparse(256), key) / 2);
  }
}

// Part of the file format: these values never change.
TEST(PartitioningTest, PlacesAreFixedForever) {
  EXPECT_EQ(PartitionOf(Sparse(65536), 0), 50578u);
  EXPECT_EQ(PartitionOf(Sparse(65536), 1), 2901u);
  EXPECT_EQ(PartitionOf(Sparse(65536), ~uint64_t{0}), 1982u);
}

TEST(PartitioningTest, DenseRowsLieInBlocksOfNeighbours) {
  const TableSpec spec = Dense(10, 4);  // Blocks of 3.
  const std::vector<uint32_t> expected = {0, 0, 0, 1, 1, 1, 2, 2, 2, 3};
  for (uint64_t row = 0; row < 10; ++row) EXPECT_EQ(PartitionOf(spec, row), expected[row]);
}

TEST(PartitioningTest, LargestDenseTableWorks) {
  const uint64_t rows = ~uint64_t{0};
  EXPECT_EQ(PartitionOf(Dense(rows, 256), 0), 0u);
  EXPECT_EQ(PartitionOf(Dense(rows, 256), rows - 1), 255u);
}

TEST(PartitioningTest, DenseTablesSmallerThanTheirPartitionsWork) {
  EXPECT_EQ(PartitionOf(Dense(1, 256), 0), 0u);
  std::set<uint32_t> used;
  for (uint64_t row = 0; row < 10; ++row) used.insert(PartitionOf(Dense(10, 256), row));
  EXPECT_EQ(used.size(), 10u);
  EXPECT_LT(*used.rbegin(), 256u);
}

}  // namespace
}  // namespace seraph
