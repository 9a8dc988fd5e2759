// SPDX-License-Identifier: Apache-2.0
#include "scheduler/shard_leases.h"

#include <map>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

std::vector<uint32_t> DealAll(ShardLeases* leases, uint32_t rank) {
  std::vector<uint32_t> order;
  while (true) {
    const ShardLeases::Lease lease = leases->Next(rank);
    if (lease.id == 0) return order;
    order.insert(order.end(), lease.blocks.begin(), lease.blocks.end());
    EXPECT_OK(leases->Done(rank, lease.id));
  }
}

std::vector<uint32_t> OrderOf(uint32_t blocks, uint32_t workers, uint64_t seed, uint64_t epoch) {
  ShardLeases leases(blocks, workers, seed);
  leases.StartEpoch(epoch);
  return DealAll(&leases, 0);
}

TEST(ShardLeasesTest, EveryBlockOnceAnEpoch) {
  ShardLeases leases(1000, 4, 7);
  for (uint64_t epoch = 1; epoch <= 3; ++epoch) {
    leases.StartEpoch(epoch);
    EXPECT_EQ(leases.blocks_left(), 1000u);
    std::vector<uint32_t> order = DealAll(&leases, 1);
    std::sort(order.begin(), order.end());
    for (uint32_t b = 0; b < 1000; ++b) ASSERT_EQ(order[b], b);
    EXPECT_EQ(leases.blocks_left(), 0u);
  }
}

TEST(ShardLeasesTest, TheOrderIsAFunctionOfSeedAndEpoch) {
  EXPECT_EQ(OrderOf(100, 2, 5, 1), OrderOf(100, 3, 5, 1));
  EXPECT_NE(OrderOf(100, 2, 5, 1), OrderOf(100, 2, 5, 2));
  EXPECT_NE(OrderOf(100, 2, 5, 1), OrderOf(100, 2, 6, 1));
}

TEST(ShardLeasesTest, EveryWorkerGetsSeveralLeases) {
  EXPECT_EQ(ShardLeases(3, 4, 0).lease_size(), 1u);
  EXPECT_EQ(ShardLeases(64, 2, 0).lease_size(), 4u);
  EXPECT_EQ(ShardLeases(1000000, 2, 0).lease_size(), 64u);
}

TEST(ShardLeasesTest, RepeatedReportsCountOnce) {
  ShardLeases leases(4, 1, 3);
  leases.StartEpoch(1);
  const ShardLeases::Lease a = leases.Next(0);
  ASSERT_OK(leases.Done(0, a.id));
  ASSERT_OK(leases.Done(0, a.id));
  EXPECT_EQ(leases.blocks_left(), 3u);
  leases.DoneAll(0);
  EXPECT_EQ(leases.blocks_left(), 3u);
}

TEST(ShardLeasesTest, ReportsOfOtherRanksAndStrangeLeasesAreRefused) {
  ShardLeases leases(4, 1, 3);
  leases.StartEpoch(1);
  const ShardLeases::Lease a = leases.Next(0);
  EXPECT_FALSE(leases.Done(1, a.id).ok());
  EXPECT_FALSE(leases.Done(0, a.id + 1).ok());
  EXPECT_EQ(leases.blocks_left(), 4u);
}

TEST(ShardLeasesTest, ReportsOfAnEarlierEpochChangeNothing) {
  ShardLeases leases(4, 1, 3);
  leases.StartEpoch(1);
  const ShardLeases::Lease a = leases.Next(0);
  leases.StartEpoch(2);
  ASSERT_OK(leases.Done(0, a.id));
  EXPECT_EQ(leases.blocks_left(), 4u);
}

TEST(ShardLeasesTest, DoneAllTakesWhatTheRankHolds) {
  ShardLeases leases(4, 1, 3);
  leases.StartEpoch(1);
  leases.Next(0);
  leases.Next(1);
  leases.Next(0);
  leases.DoneAll(0);
  EXPECT_EQ(leases.blocks_left(), 2u);
  leases.DoneAll(1);
  EXPECT_EQ(leases.blocks_left(), 1u);
}

TEST(ShardLeasesTest, NothingToDealBeforeTheFirstEpochOrWithoutBlocks) {
  EXPECT_EQ(ShardLeases(4, 1, 3).Next(0).id, 0u);
  ShardLeases empty(0, 1, 3);
  empty.StartEpoch(1);
  EXPECT_EQ(empty.Next(0).id, 0u);
}

}  // namespace
}  // namespace seraph
