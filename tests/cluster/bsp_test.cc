// SPDX-License-Identifier: Apache-2.0
// BSP: what is learned does not depend on servers, processes, executors or the order in which
// messages arrive.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/faults/reordering_network.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

ModelBits TrainedBits(const std::string& example, int servers, int workers,
                      std::vector<std::string> overrides) {
  overrides.push_back("sync.mode=bsp");
  overrides.push_back(absl::StrCat("cluster.servers=", servers));
  overrides.push_back(absl::StrCat("cluster.workers=", workers));
  const v1::JobSpec job = ExampleJob(example, overrides);
  TestCluster cluster({.servers = servers, .workers = workers, .executors = 2});
  const absl::StatusOr<v1::JobDone> done = cluster.Run(job);
  EXPECT_OK(done);
  EXPECT_EQ(done->status(), v1::JobDone::SUCCEEDED) << done->error();
  return ReadModelBits(job.output().model());
}

TEST(BspTest, ServersDoNotChangeABit) {
  const ModelBits one = TrainedBits("census_fm", 1, 2, {"train.epochs=2"});
  EXPECT_FALSE(one.empty());
  EXPECT_EQ(TrainedBits("census_fm", 2, 2, {"train.epochs=2"}), one);
  EXPECT_EQ(TrainedBits("census_fm", 5, 2, {"train.epochs=2"}), one);
}

float ToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

TEST(BspTest, FourWorkersAgreeWithOneOnTheJointBatch) {
  for (const char* optimizer : {"sgd", "adagrad", "ftrl"}) {
    // 1,013 rows a step: 22 full steps and an uneven last one, more than 100 steps in five epochs.
    const std::vector<std::string> overrides = {absl::StrCat("optimizer={type: ", optimizer, "}"),
                                                "train.batch_size=1013", "train.epochs=5"};
    const ModelBits one = TrainedBits("census_lr", 2, 1, overrides);
    const ModelBits four = TrainedBits("census_lr", 2, 4, overrides);
    ASSERT_EQ(one.size(), four.size()) << optimizer;
    for (const auto& [key, row] : one) {
      const std::vector<uint32_t>& other = four.at(key);
      for (size_t d = 0; d < row.size(); ++d) {
        const float w = ToFloat(row[d]);
        EXPECT_NEAR(w, ToFloat(other[d]), 1e-5 * std::max(1.0f, std::fabs(w)))
            << optimizer << " key " << key.second;
      }
    }
  }
}

// Three ranks push pseudo-random gradients to two tables for a few steps and read the rows back.
class ArrivalOrder {
 public:
  static constexpr uint32_t kWorkers = 3;
  static constexpr int kSteps = 4;
  static constexpr size_t kKeys = 64;

  static std::vector<float> Result(uint64_t seed, int servers) {
    SystemClock clock;
    std::unique_ptr<Network> inner = NewInProcessNetwork(&clock);
    ReorderingNetwork network(inner.get(), seed);
    TestCluster cluster({.servers = servers, .executors = 2, .network = &network});
    std::vector<std::unique_ptr<Client>> clients;
    for (uint32_t rank = 0; rank < kWorkers; ++rank)
      clients.push_back(cluster.Connect("g", rank, kWorkers));
    std::vector<std::thread> threads;
    for (uint32_t rank = 0; rank < kWorkers; ++rank) {
      threads.emplace_back([client = clients[rank].get(), rank] { RunRank(client, rank); });
    }
    for (std::thread& thread : threads) thread.join();
    const Table narrow = clients[0]->OpenOrCreateTable(Spec("narrow", 1)).value();
    const Table wide = clients[0]->OpenOrCreateTable(Spec("wide", 5)).value();
    std::vector<float> rows(kKeys * 6);
    const std::vector<uint64_t> keys = Keys();
    EXPECT_OK(clients[0]->Pull({{&narrow, keys, absl::MakeSpan(rows).subspan(0, kKeys)},
                                {&wide, keys, absl::MakeSpan(rows).subspan(kKeys)}}));
    return rows;
  }

 private:
  static TableSpec Spec(const std::string& name, uint32_t dim) {
    TableSpec spec;
    spec.name = name;
    spec.dim = dim;
    spec.optimizer = {.type = "adagrad", .learning_rate = 0.1};
    spec.sync.mode = SyncSpec::Mode::kBsp;
    return spec;
  }
  static std::vector<uint64_t> Keys() {
    std::vector<uint64_t> keys(kKeys);
    SplitMix64 random(99);
    for (uint64_t& key : keys) key = random.Next();
    return keys;
  }
  static void RunRank(Client* client, uint32_t rank) {
    const Table narrow = client->OpenOrCreateTable(Spec("narrow", 1)).value();
    const Table wide = client->OpenOrCreateTable(Spec("wide", 5)).value();
    const std::vector<uint64_t> keys = Keys();
    std::vector<float> a(kKeys), b(kKeys * 5);
    for (int step = 0; step < kSteps; ++step) {
      ASSERT_OK(
          client->Pull({{&narrow, keys, absl::MakeSpan(a)}, {&wide, keys, absl::MakeSpan(b)}}));
      SplitMix64 random(1000 * step + rank);
      for (float& value : a) value = static_cast<float>(random.NextUnit() - 0.5);
      for (float& value : b) value = static_cast<float>(random.NextUnit() - 0.5);
      // Two pushes a step: a rank's own order counts too.
      ASSERT_OK(client->Push(PushKind::kGradient, {{&narrow, keys, a}, {&wide, keys, b}}));
      ASSERT_OK(client->Push(PushKind::kGradient, {{&wide, keys, b}}));
      ASSERT_OK(client->Step(10 + rank));
    }
  }
};

TEST(BspTest, FiftyOrdersOfArrivalGiveTheSameBits) {
  const std::vector<float> first = ArrivalOrder::Result(0, 1);
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<float> other = ArrivalOrder::Result(seed, 1 + static_cast<int>(seed % 3));
    ASSERT_EQ(std::memcmp(first.data(), other.data(), first.size() * sizeof(float)), 0)
        << "seed " << seed;
  }
}

TEST(BspTest, TheGradientFollowsTheDeclaredRule) {
  for (const bool mean : {true, false}) {
    for (const uint32_t workers : {1u, 2u, 4u}) {
      TestCluster cluster({.servers = 2});
      TableSpec spec;
      spec.name = "w";
      spec.optimizer = {.type = "sgd", .learning_rate = 1};
      spec.sync.mode = SyncSpec::Mode::kBsp;
      spec.sync.reduce = mean ? SyncSpec::Reduce::kMean : SyncSpec::Reduce::kSum;
      std::vector<std::unique_ptr<Client>> clients;
      std::vector<Table> tables;
      for (uint32_t rank = 0; rank < workers; ++rank) {
        clients.push_back(cluster.Connect("g", rank, workers));
        tables.push_back(clients.back()->OpenOrCreateTable(spec).value());
      }
      const std::vector<uint64_t> keys = {7};
      const std::vector<float> gradient = {8};
      for (uint32_t rank = 0; rank < workers; ++rank) {
        ASSERT_OK(clients[rank]->Push(PushKind::kGradient, {{&tables[rank], keys, gradient}}));
        ASSERT_OK(clients[rank]->Step(/*rows=*/4));
      }
      std::vector<float> row(1);
      ASSERT_OK(clients[0]->Pull({{&tables[0], keys, absl::MakeSpan(row)}}));
      EXPECT_EQ(row[0], mean ? -2.0f : -8.0f * workers) << workers << " workers";
    }
  }
}

}  // namespace
}  // namespace seraph
