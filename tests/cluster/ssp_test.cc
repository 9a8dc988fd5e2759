// SPDX-License-Identifier: Apache-2.0
// SSP: nobody runs further ahead of the slowest than the bound, and errors of a wait name whom it
// was for.
#include <algorithm>
#include <memory>
#include <numeric>
#include <thread>
#include <vector>

#include "absl/time/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/fakes/fake_clock.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr int64_t kBound = 3;

TableSpec Spec() {
  TableSpec spec;
  spec.name = "w";
  spec.optimizer = {.type = "sgd", .learning_rate = 1};
  spec.sync.mode = SyncSpec::Mode::kSsp;
  spec.sync.staleness = kBound;
  return spec;
}

// Enough for every server to own some.
std::vector<uint64_t> Keys() {
  std::vector<uint64_t> keys(64);
  std::iota(keys.begin(), keys.end(), uint64_t{0});
  return keys;
}
const std::vector<uint64_t> kKeys = Keys();

absl::Status OneStep(Client* client, const Table& table) {
  std::vector<float> rows(kKeys.size());
  if (absl::Status s = client->Pull({{&table, kKeys, absl::MakeSpan(rows)}}); !s.ok()) return s;
  if (absl::Status s = client->Push(PushKind::kGradient, {{&table, kKeys, rows}}); !s.ok())
    return s;
  return client->Step(1);
}

// Whether every server comes to hold a parked request: its deadline is then fixed.
bool AwaitParked(Client* client) {
  const absl::Time end = absl::Now() + absl::Minutes(1);
  while (absl::Now() < end) {
    const std::vector<Client::ServerUse> uses = client->ServerStats().value();
    const bool all = std::all_of(uses.begin(), uses.end(), [](const Client::ServerUse& use) {
      return use.stats.parked_peak() > 0;
    });
    if (all) return true;
  }
  return false;
}

TEST(SspTest, TheOthersParkExactlyAtTheBound) {
  FakeClock clock;
  TestCluster cluster({.servers = 2, .lease = absl::Hours(1), .clock = &clock});
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<Table> tables;
  for (uint32_t rank = 0; rank < 3; ++rank) {
    clients.push_back(cluster.Connect("g", rank, 3, absl::Seconds(2)));
    tables.push_back(clients.back()->OpenOrCreateTable(Spec()).value());
  }
  // Rank 0 is held at clock 0. The others may take steps at clocks 0..s.
  for (uint32_t rank = 1; rank < 3; ++rank) {
    for (int64_t step = 0; step <= kBound; ++step)
      ASSERT_OK(OneStep(clients[rank].get(), tables[rank]));
    EXPECT_EQ(clients[rank]->clock(), kBound + 1);
  }
  // The next pull parks; past its deadline the error names rank 0.
  absl::Status parked;
  std::thread waiter([&] { parked = OneStep(clients[1].get(), tables[1]); });
  EXPECT_TRUE(AwaitParked(clients[0].get()));
  clock.Advance(absl::Seconds(2) + absl::Milliseconds(1));
  waiter.join();
  EXPECT_THAT(parked, StatusIs(absl::StatusCode::kDeadlineExceeded,
                               AllOf(HasSubstr("worker 0"), HasSubstr("w"))));
  // One step of rank 0 lets them go on by one.
  ASSERT_OK(OneStep(clients[0].get(), tables[0]));
  EXPECT_OK(OneStep(clients[1].get(), tables[1]));
  int64_t staleness = 0;
  const std::vector<Client::ServerUse> uses = clients[0]->ServerStats().value();
  for (const Client::ServerUse& use : uses) {
    staleness = std::max(staleness, use.stats.max_staleness());
  }
  EXPECT_EQ(staleness, kBound);
}

TEST(SspTest, ARankWithoutRowsIsNotWaitedForUntilAllHaveNone) {
  TestCluster cluster({.servers = 2});
  std::vector<std::unique_ptr<Client>> clients;
  std::vector<Table> tables;
  for (uint32_t rank = 0; rank < 2; ++rank) {
    clients.push_back(cluster.Connect("g", rank, 2));
    tables.push_back(clients.back()->OpenOrCreateTable(Spec()).value());
  }
  ASSERT_OK(clients[0]->StepThenIdle());
  for (int step = 0; step < 3 * kBound; ++step) ASSERT_OK(OneStep(clients[1].get(), tables[1]));
  ASSERT_OK(clients[1]->StepThenIdle());
  const int64_t start = clients[1]->clock();
  for (uint32_t rank = 0; rank < 2; ++rank) {
    ASSERT_OK(clients[rank]->ResumeAt(start));
    for (int64_t step = 0; step < kBound; ++step)
      ASSERT_OK(OneStep(clients[rank].get(), tables[rank]));
  }
}

}  // namespace
}  // namespace seraph
