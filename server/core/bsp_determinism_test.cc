// SPDX-License-Identifier: Apache-2.0
// The promise of BSP: with a fixed number of workers the tables have the same bits whatever the
// number of servers and threads and whatever the order of arrival.
#include <cstring>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "common/clock.h"
#include "common/random.h"
#include "gtest/gtest.h"
#include "tests/core/core_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

constexpr uint32_t kWorkers = 3;
constexpr int64_t kSteps = 4;
constexpr uint32_t kWeights = 1, kFactors = 2, kBias = 3;

TableSpec Spec(const std::string& name, TableKind kind, uint32_t dim,
               const std::string& optimizer) {
  TableSpec spec;
  spec.name = name;
  spec.kind = kind;
  spec.rows = kind == TableKind::kDense ? 1 : 0;
  spec.dim = dim;
  spec.partitions = kind == TableKind::kDense ? 1 : 16;
  spec.seed = 11;
  spec.initializer = {InitializerSpec::Type::kNormal, 0.1};
  spec.optimizer.type = optimizer;
  spec.optimizer.l1 = 1e-3;
  spec.optimizer.l2 = 1e-2;
  if (optimizer == "adagrad") {
    spec.optimizer.schedule = {ScheduleSpec::Type::kCosine, /*warmup_steps=*/1, /*decay_steps=*/3};
  }
  spec.sync.mode = SyncSpec::Mode::kBsp;
  return spec;
}

// What a rank sends in one step: two numbered pushes of gradients, an add and an assign.
struct StepPush {
  CorePushKind kind;
  std::vector<TableRows> tables;
  uint64_t sequence;
};

TableRows RandomRows(uint32_t table, uint32_t dim, size_t count, SplitMix64* random) {
  TableRows rows{table, {}, {}};
  for (size_t i = 0; i < count; ++i) {
    rows.keys.push_back(table == kBias ? 0 : random->NextBelow(40) << 55);
    for (uint32_t d = 0; d < dim; ++d) {
      rows.values.push_back(static_cast<float>(random->NextUnit() - 0.5));
    }
  }
  return rows;
}

// A pure function of rank and step, as a worker's gradients are.
std::vector<StepPush> PushesOf(uint32_t rank, int64_t step) {
  SplitMix64 random(1000 * rank + static_cast<uint64_t>(step));
  const auto number = static_cast<uint64_t>(step) * 4;
  std::vector<StepPush> pushes;
  for (uint64_t i = 1; i <= 2; ++i) {
    pushes.push_back({CorePushKind::kGradient,
                      {RandomRows(kWeights, 1, 25, &random), RandomRows(kFactors, 3, 25, &random),
                       RandomRows(kBias, 1, 1, &random)},
                      number + i});
  }
  pushes.push_back({CorePushKind::kAdd, {RandomRows(kFactors, 3, 4, &random)}, number + 3});
  pushes.push_back({CorePushKind::kAssign, {RandomRows(kWeights, 1, 2, &random)}, number + 4});
  return pushes;
}

using Bits = std::map<std::pair<uint32_t, uint64_t>, std::vector<float>>;

class BspDeterminismTest : public ::testing::Test {
 protected:
  // Runs all steps; within a step the pushes of all ranks come in an order drawn from `seed`, and
  // each rank commits once its own are acknowledged.
  Bits Run(int cores, int executors, uint64_t seed) {
    CoreCluster cluster(
        {.clock = &clock_, .cores = cores, .executors = executors, .workers = kWorkers});
    EXPECT_OK(cluster.Open(kWeights, Spec("weights", TableKind::kSparse, 1, "ftrl")));
    EXPECT_OK(cluster.Open(kFactors, Spec("factors", TableKind::kSparse, 3, "adagrad")));
    EXPECT_OK(cluster.Open(kBias, Spec("bias", TableKind::kDense, 1, "sgd")));
    SplitMix64 order(seed);
    for (int64_t step = 0; step < kSteps; ++step) {
      std::vector<std::vector<StepPush>> left;
      for (uint32_t rank = 0; rank < kWorkers; ++rank) left.push_back(PushesOf(rank, step));
      std::vector<uint32_t> open = {0, 1, 2};
      while (!open.empty()) {
        const size_t place = order.NextBelow(open.size());
        const uint32_t rank = open[place];
        if (left[rank].empty()) {
          EXPECT_OK(cluster.Commit(rank, step, 10 + rank));
          open.erase(open.begin() + static_cast<std::ptrdiff_t>(place));
          continue;
        }
        // Frames of one push may overtake each other; numbers put them right.
        const size_t next = order.NextBelow(left[rank].size());
        const StepPush& push = left[rank][next];
        EXPECT_OK(cluster.Push(rank, step, push.kind, push.tables, push.sequence));
        left[rank].erase(left[rank].begin() + static_cast<std::ptrdiff_t>(next));
      }
    }
    Bits bits;
    for (const uint32_t table : {kWeights, kFactors, kBias}) {
      for (const auto& [key, row] : cluster.Export(table)) bits[{table, key}] = row;
    }
    return bits;
  }

  SystemClock clock_;
};

void ExpectSameBits(const Bits& a, const Bits& b, const std::string& what) {
  ASSERT_EQ(a.size(), b.size()) << what;
  for (auto x = a.begin(), y = b.begin(); x != a.end(); ++x, ++y) {
    ASSERT_EQ(x->first, y->first) << what;
    ASSERT_EQ(x->second.size(), y->second.size()) << what;
    ASSERT_EQ(0, std::memcmp(x->second.data(), y->second.data(), x->second.size() * sizeof(float)))
        << what << ", table " << x->first.first << ", key " << x->first.second;
  }
}

TEST_F(BspDeterminismTest, FiftyOrdersOfArrivalGiveTheSameBits) {
  const Bits expected = Run(1, 1, 0);
  ASSERT_GT(expected.size(), 60u);
  for (uint64_t seed = 1; seed <= 50; ++seed) {
    ExpectSameBits(expected, Run(1, 1 + static_cast<int>(seed % 3), seed),
                   "order " + std::to_string(seed));
  }
}

TEST_F(BspDeterminismTest, ServersAndThreadsDoNotShowInTheBits) {
  const Bits expected = Run(1, 1, 0);
  uint64_t seed = 100;
  for (const int cores : {1, 2, 5}) {
    for (const int executors : {1, 2, 3}) {
      for (int order = 0; order < 3; ++order, ++seed) {
        ExpectSameBits(expected, Run(cores, executors, seed),
                       std::to_string(cores) + " servers, " + std::to_string(executors) +
                           " executors, order " + std::to_string(seed));
      }
    }
  }
}

}  // namespace
}  // namespace seraph
