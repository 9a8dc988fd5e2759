// SPDX-License-Identifier: Apache-2.0
// Clients at servers whose memory is full.
#include <memory>
#include <thread>
#include <vector>

#include "common/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

TableSpec BspSpec() {
  TableSpec spec;
  spec.name = "weights";
  spec.optimizer.learning_rate = 1;
  spec.sync = {.mode = SyncSpec::Mode::kBsp, .reduce = SyncSpec::Reduce::kSum};
  return spec;
}

std::vector<uint64_t> Keys(size_t count) {
  std::vector<uint64_t> keys(count);
  for (size_t i = 0; i < count; ++i) keys[i] = i;
  return keys;
}

absl::Status PushOnes(Client* client, const Table& table, const std::vector<uint64_t>& keys) {
  const std::vector<float> ones(keys.size(), 1);
  return client->Push(PushKind::kGradient, {{&table, keys, ones}});
}

// Parked keys count 44 bytes each, and ranks that nobody waits for leave half of the memory: of the
// two frames of rank 1 one has room before rank 0 has committed.
TEST(ClusterMemoryTest, AFrameThatIsRefusedWaitsForMemoryAndCountsOnce) {
  TestCluster cluster({.memory_bytes = int64_t{8} << 20});
  const std::unique_ptr<Client> zero = cluster.Connect("g", 0, 2);
  const std::unique_ptr<Client> one = cluster.Connect("g", 1, 2);
  const Table table_of_zero = zero->OpenOrCreateTable(BspSpec()).value();
  const Table table_of_one = one->OpenOrCreateTable(BspSpec()).value();
  const std::vector<uint64_t> many = Keys(150'000), few = Keys(10'000);
  std::thread rank_one([&] {
    EXPECT_OK(PushOnes(one.get(), table_of_one, many));
    EXPECT_OK(one->Step(1));
  });
  // Two frames and a repeat of one.
  SystemClock clock;
  const absl::Time deadline = clock.Now() + absl::Seconds(30);
  while (zero->ServerStats().value()[0].stats.requests() < 3 && clock.Now() < deadline) {
  }
  EXPECT_LT(clock.Now(), deadline);
  EXPECT_OK(PushOnes(zero.get(), table_of_zero, few));
  EXPECT_OK(zero->Step(1));
  rank_one.join();
  std::vector<float> rows(many.size());
  ASSERT_OK(zero->Pull({{&table_of_zero, many, absl::MakeSpan(rows)}}));
  for (size_t i = 0; i < rows.size(); ++i) ASSERT_EQ(rows[i], i < few.size() ? -2 : -1) << i;
}

TEST(ClusterMemoryTest, ARefusalUntilTheDeadlineSaysWhatWasWaitedFor) {
  TestCluster cluster({.memory_bytes = int64_t{1} << 20});
  const std::unique_ptr<Client> one = cluster.Connect("g", 1, 2, absl::Seconds(1));
  const Table table = one->OpenOrCreateTable(BspSpec()).value();
  EXPECT_THAT(PushOnes(one.get(), table, Keys(20'000)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       AllOf(HasSubstr("waited 1 s for server"), HasSubstr("table weights"),
                             HasSubstr("worker 1"), HasSubstr("880000 bytes to be parked"))));
}

}  // namespace
}  // namespace seraph
