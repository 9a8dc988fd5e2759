// SPDX-License-Identifier: Apache-2.0
// What a server answers to pulls, pushes and table requests; waits are in waiting_test.cc.
#include "server/core/server_core.h"

#include <algorithm>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/partitioning.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/core_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint64_t kLast = std::numeric_limits<uint64_t>::max();
constexpr uint32_t kWeights = 1;

TableSpec SparseSpec(const std::string& name = "weights", uint32_t dim = 1) {
  TableSpec spec;
  spec.name = name;
  spec.dim = dim;
  spec.partitions = 16;
  spec.optimizer.learning_rate = 1;
  return spec;
}

TableSpec DenseSpec(uint64_t rows, uint32_t partitions = 16) {
  TableSpec spec = SparseSpec("layer/one");
  spec.kind = TableKind::kDense;
  spec.rows = rows;
  spec.partitions = partitions;
  return spec;
}

class ServerCoreTest : public ::testing::Test {
 protected:
  CoreCluster& Start(int cores = 1, uint32_t workers = 1, int executors = 2) {
    cluster_ = std::make_unique<CoreCluster>(CoreCluster::Options{
        .clock = &clock_, .cores = cores, .executors = executors, .workers = workers});
    return *cluster_;
  }
  SystemClock clock_;
  std::unique_ptr<CoreCluster> cluster_;
};

TEST_F(ServerCoreTest, EmptyPullsAndPushesAreAnsweredAndCountAsASteps) {
  CoreCluster& cluster = Start(2);
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  EXPECT_OK(cluster.Pull(0, 0, {{kWeights, {}}}));
  EXPECT_OK(cluster.Push(0, 0, CorePushKind::kGradient, {{kWeights, {}, {}}}));
  EXPECT_OK(cluster.Push(0, 0, CorePushKind::kGradient, {}));
  EXPECT_OK(cluster.Commit(0, 0, 0));
  EXPECT_EQ(cluster.Stats().rows, 0u);
}

TEST_F(ServerCoreTest, RepeatedKeysInAPushActAsThePushOfTheirSum) {
  CoreCluster& cluster = Start();
  ASSERT_OK(cluster.Open(1, SparseSpec("repeated")));
  ASSERT_OK(cluster.Open(2, SparseSpec("summed")));
  TableSpec adagrad = SparseSpec("repeated_adagrad");
  adagrad.optimizer.type = "adagrad";
  ASSERT_OK(cluster.Open(3, adagrad));
  adagrad.name = "summed_adagrad";
  ASSERT_OK(cluster.Open(4, adagrad));
  for (const uint32_t table : {1, 3}) {
    ASSERT_OK(cluster.PushGradient(0, 0, table, {7, 7, 9, 7}, {.1f, .2f, 5, .4f}));
    ASSERT_OK(cluster.PushGradient(0, 0, table + 1, {7, 9}, {.1f + .2f + .4f, 5}));
    EXPECT_EQ(cluster.ReadNow(table, {7, 9}), cluster.ReadNow(table + 1, {7, 9}));
  }
}

TEST_F(ServerCoreTest, OfRepeatedKeysInAnAssignTheLastHolds) {
  CoreCluster& cluster = Start();
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  ASSERT_OK(cluster.Push(0, 0, CorePushKind::kAssign, {{kWeights, {7, 7}, {1, 2}}}));
  EXPECT_THAT(cluster.ReadNow(kWeights, {7}), ElementsAre(2));
  ASSERT_OK(cluster.Push(0, 0, CorePushKind::kAdd, {{kWeights, {7, 7}, {1, 2}}}));
  EXPECT_THAT(cluster.ReadNow(kWeights, {7}), ElementsAre(5));
}

TEST_F(ServerCoreTest, RowsComeInTheOrderOfTheKeysAskedForEachPlaceFilled) {
  CoreCluster& cluster = Start(3);
  ASSERT_OK(cluster.Open(kWeights, SparseSpec("weights", 2)));
  std::vector<uint64_t> keys = {900, 7, 7, 0, 500, 900, 3};
  std::vector<float> values;
  for (const uint64_t key : {0, 3, 7, 500, 900}) {
    ASSERT_OK(cluster.Push(
        0, 0, CorePushKind::kAssign,
        {{kWeights, {key}, {static_cast<float>(key), static_cast<float>(key) + .5f}}}));
  }
  for (const uint64_t key : keys) {
    values.push_back(static_cast<float>(key));
    values.push_back(static_cast<float>(key) + .5f);
  }
  EXPECT_EQ(cluster.ReadNow(kWeights, keys), values);
}

TEST_F(ServerCoreTest, AReadOnlyPullShowsZerosWhereNoPushHasMadeARow) {
  CoreCluster& cluster = Start(2);
  TableSpec spec = SparseSpec("factors", 2);
  spec.initializer = {.type = InitializerSpec::Type::kConstant, .value = 3};
  ASSERT_OK(cluster.Open(kWeights, spec));
  const std::vector<uint64_t> keys = {7, 500};
  EXPECT_THAT(cluster.Pull(0, 0, {{kWeights, keys}}).value().rows[0], ElementsAre(3, 3, 3, 3));
  EXPECT_THAT(cluster.ReadNow(kWeights, keys), ElementsAre(0, 0, 0, 0));
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {500}, {0, 1}));
  EXPECT_THAT(cluster.ReadNow(kWeights, keys), ElementsAre(0, 0, 3, 2));
  EXPECT_THAT(cluster.Pull(0, 0, {{kWeights, keys}}).value().rows[0], ElementsAre(3, 3, 3, 2));
}

TEST_F(ServerCoreTest, KeysAtTheEdgesOfTheKeySpaceAreRowsLikeOthers) {
  CoreCluster& cluster = Start(3);
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  const std::vector<uint64_t> keys = {0,
                                      1,
                                      uint64_t{1} << 63,
                                      kLast - 2,
                                      kLast - 1,
                                      kLast,
                                      1 << 24,
                                      (1 << 24) + 1,
                                      (uint64_t{1} << 53) + 1,
                                      uint64_t{1} << 53};
  std::vector<float> values(keys.size());
  for (size_t i = 0; i < keys.size(); ++i) values[i] = static_cast<float>(i + 1);
  ASSERT_OK(cluster.Push(0, 0, CorePushKind::kAssign, {{kWeights, keys, values}}));
  EXPECT_EQ(cluster.ReadNow(kWeights, keys), values);
  EXPECT_EQ(cluster.Stats().rows, keys.size());
}

TEST_F(ServerCoreTest, AValueThatIsNotFiniteIsRefusedWithItsKeyAndNothingChanges) {
  CoreCluster& cluster = Start();
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {1, 2}, {-1, -1}));
  for (const float bad :
       {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()}) {
    for (const CorePushKind kind :
         {CorePushKind::kGradient, CorePushKind::kAdd, CorePushKind::kAssign}) {
      EXPECT_THAT(cluster.Push(0, 0, kind, {{kWeights, {1, 2, 3}, {5, bad, 5}}}),
                  StatusIs(absl::StatusCode::kInvalidArgument,
                           AllOf(HasSubstr("table weights"), HasSubstr("key 2"))));
    }
  }
  const float largest = std::numeric_limits<float>::max();
  EXPECT_THAT(cluster.PushGradient(0, 0, kWeights, {2, 2}, {largest, largest}),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("key 2")));
  EXPECT_THAT(cluster.ReadNow(kWeights, {1, 2, 3}), ElementsAre(1, 1, 0));
  const float denormal = std::numeric_limits<float>::denorm_min();
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {3}, {denormal}));
  EXPECT_THAT(cluster.ReadNow(kWeights, {3}), ElementsAre(-denormal));
}

TEST_F(ServerCoreTest, APushToAKeyNeverPulledMakesItsRowAndChangesNoOther) {
  CoreCluster& cluster = Start();
  TableSpec spec = SparseSpec();
  spec.initializer = {InitializerSpec::Type::kUniform, 1};
  ASSERT_OK(cluster.Open(kWeights, spec));
  std::vector<uint64_t> keys(100);
  for (size_t i = 0; i < keys.size(); ++i) keys[i] = i;
  std::vector<float> expected = cluster.Pull(0, 0, {{kWeights, keys}}).value().rows[0];
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {42}, {1}));
  expected[42] -= 1;
  EXPECT_EQ(cluster.Pull(0, 0, {{kWeights, keys}}).value().rows[0], expected);
  EXPECT_EQ(cluster.Stats().rows, 1u);
}

TEST_F(ServerCoreTest, PullsOfUnseenKeysMakeNoRows) {
  CoreCluster& cluster = Start();
  TableSpec spec = SparseSpec();
  spec.initializer = {InitializerSpec::Type::kConstant, 0.25};
  ASSERT_OK(cluster.Open(kWeights, spec));
  EXPECT_EQ(cluster.Pull(0, 0, {{kWeights, {1, kLast}}}).value().rows[0],
            (std::vector<float>{.25f, .25f}));
  EXPECT_EQ(cluster.Stats().rows, 0u);
}

TEST_F(ServerCoreTest, TablesOfOneShapeNeverAliasAndComeInOneRequest) {
  CoreCluster& cluster = Start(2);
  ASSERT_OK(cluster.Open(1, SparseSpec("a")));
  ASSERT_OK(cluster.Open(2, SparseSpec("b")));
  ASSERT_OK(cluster.Push(0, 0, CorePushKind::kAssign, {{1, {5, 6}, {1, 2}}, {2, {6, 5}, {3, 4}}}));
  const Pulled pulled = cluster.Pull(0, 0, {{1, {5, 6}}, {2, {5, 6}}}).value();
  EXPECT_THAT(pulled.rows[0], ElementsAre(1, 2));
  EXPECT_THAT(pulled.rows[1], ElementsAre(4, 3));
}

TEST_F(ServerCoreTest, FewRowsOverManyServersWork) {
  for (const int cores : {1, 3, 4}) {
    CoreCluster& cluster = Start(cores);
    ASSERT_OK(cluster.Open(1, DenseSpec(10)));
    ASSERT_OK(cluster.Open(2, DenseSpec(1, 1)));
    std::vector<uint64_t> keys(10);
    std::vector<float> values(10);
    for (size_t i = 0; i < 10; ++i) {
      keys[i] = 9 - i;
      values[i] = static_cast<float>(i);
    }
    ASSERT_OK(cluster.Push(0, 0, CorePushKind::kAdd, {{1, keys, values}, {2, {0}, {8}}}));
    EXPECT_EQ(cluster.ReadNow(1, keys), values);
    EXPECT_THAT(cluster.ReadNow(2, {0, 0}), ElementsAre(8, 8));
  }
}

TEST_F(ServerCoreTest, PartitionsSpreadEvenlyOverExecutorsWhicheverAreOwned) {
  CoreCluster& cluster = Start(2, 1, 3);
  TableSpec spec = SparseSpec();
  spec.partitions = 256;
  ASSERT_OK(cluster.Open(kWeights, spec));
  for (size_t core = 0; core < 2; ++core) {
    std::vector<int> owned(3, 0);
    for (const int32_t executor : cluster.table(core, kWeights).executor) {
      if (executor != ServedTable::kElsewhere) ++owned[static_cast<size_t>(executor)];
    }
    const auto [least, most] = std::minmax_element(owned.begin(), owned.end());
    EXPECT_LE(*most - *least, 1);
  }
}

// Case 17 of the field's reports: all keys divisible by the number of servers, small keys,
// timestamps.
TEST_F(ServerCoreTest, SkewedKeysSpreadEvenlyOverPartitions) {
  for (const uint64_t stride : {uint64_t{1}, uint64_t{16}, uint64_t{1000}, uint64_t{1} << 32}) {
    CoreCluster& cluster = Start();
    ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
    std::vector<uint64_t> keys(100000);
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = 1700000000 * (stride % 7) + i * stride;
    ASSERT_OK(cluster.PushGradient(0, 0, kWeights, keys, std::vector<float>(keys.size(), 1)));
    size_t most = 0;
    for (uint32_t p = 0; p < 16; ++p) {
      Later<absl::StatusOr<CoreRows>> rows;
      cluster.core(0)->ExportPartition(cluster.table(0, kWeights), p,
                                       [rows](absl::StatusOr<CoreRows> r) mutable { rows.Set(r); });
      most = std::max(most, rows.Get().value().keys.size());
    }
    EXPECT_LT(static_cast<double>(most) / (100000.0 / 16), 1.3) << "stride " << stride;
  }
}

TEST_F(ServerCoreTest, TwoWorkersThatTouchANewKeyFirstShareOneInitialValueAndBothCount) {
  CoreCluster& cluster = Start(1, 2);
  TableSpec spec = SparseSpec();
  spec.initializer = {InitializerSpec::Type::kConstant, 10};
  ASSERT_OK(cluster.Open(kWeights, spec));
  SplitMix64 random(5);
  for (int round = 0; round < 1000; ++round) {
    const uint64_t key = random.Next();
    ASSERT_OK(cluster.PushGradient(round % 2, 0, kWeights, {key}, {1}));
    ASSERT_OK(cluster.PushGradient(1 - round % 2, 0, kWeights, {key}, {2}));
    ASSERT_THAT(cluster.ReadNow(kWeights, {key}), ElementsAre(7));
  }
}

TEST_F(ServerCoreTest, BspGradientsScaleByTheDeclaredRuleForAnyNumberOfWorkers) {
  for (const uint32_t workers : {1u, 2u, 4u}) {
    CoreCluster& cluster = Start(1, workers);
    TableSpec spec = SparseSpec("mean");
    spec.sync.mode = SyncSpec::Mode::kBsp;
    ASSERT_OK(cluster.Open(1, spec));
    spec.name = "sum";
    spec.sync.reduce = SyncSpec::Reduce::kSum;
    ASSERT_OK(cluster.Open(2, spec));
    for (uint32_t rank = 0; rank < workers; ++rank) {
      ASSERT_OK(cluster.Push(rank, 0, CorePushKind::kGradient, {{1, {3}, {8}}, {2, {3}, {8}}}));
      ASSERT_OK(cluster.Commit(rank, 0, 4));
    }
    EXPECT_THAT(cluster.ReadNow(1, {3}), ElementsAre(-2));
    EXPECT_THAT(cluster.ReadNow(2, {3}), ElementsAre(-8.f * static_cast<float>(workers)));
  }
}

TEST_F(ServerCoreTest, AFoldThatCannotBeAppliedIsSaidByEveryLaterRequestOfThePartition) {
  CoreCluster& cluster = Start(1, 2);
  TableSpec spec = SparseSpec();
  spec.sync.mode = SyncSpec::Mode::kBsp;
  ASSERT_OK(cluster.Open(kWeights, spec));
  for (const uint32_t rank : {0, 1}) {
    ASSERT_OK(cluster.PushGradient(rank, 0, kWeights, {5}, {std::numeric_limits<float>::max()}));
    ASSERT_OK(cluster.Commit(rank, 0, 0));
  }
  const auto said = StatusIs(absl::StatusCode::kInvalidArgument,
                             AllOf(HasSubstr("table weights at clock 0"), HasSubstr("key 5")));
  EXPECT_THAT(cluster.Pull(0, 1, {{kWeights, {5}}}), said);
  EXPECT_THAT(cluster.StartPull(0, 0, {{kWeights, {5}}}, absl::ZeroDuration(), true).Get(), said);
  EXPECT_THAT(cluster.PushGradient(0, 1, kWeights, {5}, {1}), said);
  const uint32_t partition = PartitionOf(spec, 5);
  Later<absl::StatusOr<CoreRows>> out;
  cluster.core(0)->ExportPartition(cluster.table(0, kWeights), partition,
                                   [out](absl::StatusOr<CoreRows> r) mutable { out.Set(r); });
  EXPECT_THAT(out.Get(), said);
  Later<absl::Status> in;
  cluster.core(0)->ImportPartition(cluster.table(0, kWeights), partition,
                                   std::make_shared<const CoreRows>(),
                                   [in](absl::Status s) mutable { in.Set(s); });
  EXPECT_THAT(in.Get(), said);
}

TEST_F(ServerCoreTest, AnOldBspClockIsNotRead) {
  CoreCluster& cluster = Start();
  TableSpec spec = SparseSpec();
  spec.sync.mode = SyncSpec::Mode::kBsp;
  ASSERT_OK(cluster.Open(kWeights, spec));
  ASSERT_OK(cluster.Commit(0, 0));
  EXPECT_THAT(cluster.Pull(0, 0, {{kWeights, {5}}}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("1 steps already")));
}

TEST_F(ServerCoreTest, OpeningATableAgainIsFineUnlessItDiffers) {
  CoreCluster& cluster = Start();
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {1}, {1}));
  EXPECT_OK(cluster.Open(kWeights, SparseSpec()));
  EXPECT_THAT(cluster.ReadNow(kWeights, {1}), ElementsAre(-1));
  EXPECT_THAT(cluster.Open(kWeights, SparseSpec("weights", 2)),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("dim is 1, asked for 2")));
  TableSpec wrong = SparseSpec("other");
  wrong.optimizer.type = "adagrda";
  EXPECT_THAT(cluster.Open(2, wrong),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("adagrda")));
}

TEST_F(ServerCoreTest, AGroupHasOneNumberOfWorkersAndIsNeverShared) {
  CoreCluster& cluster = Start(1, 2);
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  CoreTableRequest request{.id = 2,
                           .group = "g",
                           .workers = 3,
                           .map_epoch = 1,
                           .spec = SparseSpec("other"),
                           .owned = std::vector<bool>(16, true)};
  const auto open = [&] {
    Later<absl::Status> done;
    cluster.core(0)->OpenTable(request, [done](absl::Status s) mutable { done.Set(s); });
    return done.Get();
  };
  EXPECT_THAT(open(), StatusIs(absl::StatusCode::kFailedPrecondition,
                               HasSubstr("has 2 workers, asked for 3")));
  request.group = "shared";
  EXPECT_THAT(open(), StatusIs(absl::StatusCode::kUnimplemented, HasSubstr("shared")));
  request.group = "h";
  request.owned.pop_back();
  EXPECT_THAT(open(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("15 of 16")));
}

TEST_F(ServerCoreTest, ADenseTableBeyondTheMemoryIsRefusedBeforeItIsMade) {
  CoreCluster& cluster = Start();
  EXPECT_THAT(cluster.Open(kWeights, DenseSpec(uint64_t{1} << 60)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("layer/one")));
}

TEST_F(ServerCoreTest, UnknownTablesOtherGroupsAndOldMapsAreNamed) {
  CoreCluster& cluster = Start();
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  ServerCore* core = cluster.core(0);
  EXPECT_OK(core->FindTable("g", kWeights, 1));
  EXPECT_THAT(core->FindTable("g", 9, 1),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("table 9")));
  EXPECT_THAT(core->FindTable("h", kWeights, 1),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("group h")));
  EXPECT_THAT(core->FindTable("g", kWeights, 2),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("weights"), HasSubstr("epoch 2"), HasSubstr("at 1"))));
}

TEST_F(ServerCoreTest, ADroppedGroupMayComeBackEmpty) {
  CoreCluster& cluster = Start(2);
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  ASSERT_OK(cluster.PushGradient(0, 0, kWeights, {1}, {1}));
  ASSERT_OK(cluster.Commit(0, 0));
  ASSERT_OK(cluster.Drop("done"));
  ASSERT_OK(cluster.Open(kWeights, SparseSpec()));
  EXPECT_THAT(cluster.ReadNow(kWeights, {1}), ElementsAre(0));
  EXPECT_OK(cluster.PushGradient(0, 0, kWeights, {1}, {1}));
}

TEST_F(ServerCoreTest, ACommitWhereTheGroupHasNoTableIsNoError) { EXPECT_OK(Start().Commit(0, 7)); }

TEST_F(ServerCoreTest, RowsGoOutAndComeBackWhole) {
  CoreCluster& cluster = Start();
  TableSpec spec = SparseSpec();
  spec.optimizer.type = "adagrad";
  ASSERT_OK(cluster.Open(1, spec));
  spec.name = "copy";
  ASSERT_OK(cluster.Open(2, spec));
  ASSERT_OK(cluster.PushGradient(0, 0, 1, {1, 2, 3, kLast}, {1, 2, 3, 4}));
  for (uint32_t p = 0; p < spec.partitions; ++p) {
    Later<absl::StatusOr<CoreRows>> out;
    cluster.core(0)->ExportPartition(cluster.table(0, 1), p,
                                     [out](absl::StatusOr<CoreRows> r) mutable { out.Set(r); });
    Later<absl::Status> in;
    cluster.core(0)->ImportPartition(cluster.table(0, 2), p,
                                     std::make_shared<const CoreRows>(out.Get().value()),
                                     [in](absl::Status s) mutable { in.Set(s); });
    ASSERT_OK(in.Get());
  }
  EXPECT_EQ(cluster.Export(1), cluster.Export(2));
  EXPECT_EQ(cluster.Export(1).size(), 4u);
}

}  // namespace
}  // namespace seraph
