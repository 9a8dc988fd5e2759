// SPDX-License-Identifier: Apache-2.0
// What a server does at the end of its memory. Rows of these tables count 36 bytes each, keys of
// parked pushes and of sums 44.
#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/core_cluster.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;

constexpr uint32_t kOne = 1;
constexpr uint32_t kTwo = 2;

std::vector<uint64_t> Keys(size_t count, uint64_t first = 0) {
  std::vector<uint64_t> keys(count);
  for (size_t i = 0; i < count; ++i) keys[i] = first + i;
  return keys;
}

class MemoryTest : public ::testing::Test {
 protected:
  void Start(int64_t memory_bytes, uint32_t workers = 1) {
    cluster_ = std::make_unique<CoreCluster>(CoreCluster::Options{
        .clock = &clock_, .executors = 2, .workers = workers, .memory_bytes = memory_bytes});
  }
  void Open(uint32_t id, SyncSpec::Mode mode, uint64_t dense_rows = 0) {
    ASSERT_OK(cluster_->Open(id, Spec(id, mode, dense_rows)));
  }
  static TableSpec Spec(uint32_t id, SyncSpec::Mode mode, uint64_t dense_rows = 0) {
    TableSpec spec;
    spec.name = "table" + std::to_string(id);
    spec.partitions = 8;
    spec.optimizer.learning_rate = 1;
    spec.sync.mode = mode;
    spec.sync.reduce = SyncSpec::Reduce::kSum;
    if (dense_rows > 0) {
      spec.kind = TableKind::kDense;
      spec.rows = dense_rows;
    }
    return spec;
  }
  absl::Status Push(uint32_t rank, uint32_t table, const std::vector<uint64_t>& keys,
                    int64_t clock = 0) {
    return cluster_->PushGradient(rank, clock, table, keys, std::vector<float>(keys.size(), 1));
  }

  SystemClock clock_;
  std::unique_ptr<CoreCluster> cluster_;
};

TEST_F(MemoryTest, TablesShareOneMemoryAndTheLastRowThatFitsIsTheSameForAll) {
  Start(36 * 100);
  Open(kOne, SyncSpec::Mode::kAsp);
  Open(kTwo, SyncSpec::Mode::kAsp);
  ASSERT_OK(Push(0, kOne, Keys(60)));
  ASSERT_OK(Push(0, kTwo, Keys(30)));
  EXPECT_THAT(Push(0, kTwo, Keys(31, 100)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("table table2 by worker 0 at clock 0"),
                             HasSubstr("1116 bytes of new rows"), HasSubstr("memory of 3600 bytes"),
                             HasSubstr("rows, which stay"))));
  EXPECT_EQ(cluster_->Stats().rows, 90u);  // In no partition was anything applied.
  ASSERT_OK(Push(0, kTwo, Keys(10, 100)));
  EXPECT_EQ(cluster_->Stats().rows, 100u);
}

TEST_F(MemoryTest, RowsThatAreThereAreWrittenWhenTheMemoryIsFull) {
  Start(36 * 100);
  Open(kOne, SyncSpec::Mode::kAsp);
  for (int i = 0; i < 3; ++i) ASSERT_OK(Push(0, kOne, Keys(100)));
  EXPECT_EQ(cluster_->ReadNow(kOne, {99}), std::vector<float>{-3});
  EXPECT_THAT(Push(0, kOne, {100}),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("table1")));
}

TEST_F(MemoryTest, WhatADroppedGroupHeldIsFreeAgain) {
  Start(36 * 100, 2);
  Open(kOne, SyncSpec::Mode::kAsp);
  Open(kTwo, SyncSpec::Mode::kBsp);
  ASSERT_OK(Push(0, kOne, Keys(50)));
  ASSERT_OK(Push(1, kTwo, Keys(10)));
  ASSERT_OK(cluster_->Drop("over"));
  Open(kOne, SyncSpec::Mode::kAsp);
  EXPECT_OK(Push(0, kOne, Keys(100)));
}

TEST_F(MemoryTest, RowsThatOnlyLackWhatParkedPushesHoldMayBeTriedAgain) {
  Start(4000, 2);
  Open(kOne, SyncSpec::Mode::kAsp);
  Open(kTwo, SyncSpec::Mode::kBsp);
  ASSERT_OK(Push(0, kTwo, Keys(20)));  // 880 bytes, 720 as rows.
  EXPECT_THAT(Push(1, kOne, Keys(90)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("3240 bytes of new rows")));
  EXPECT_EQ(cluster_->Stats().rows, 0u);
  for (const uint32_t rank : {0, 1}) ASSERT_OK(cluster_->Commit(rank, 0));
  EXPECT_OK(Push(1, kOne, Keys(90), 1));
}

TEST_F(MemoryTest, WhereRowsLeaveLittleEachRankPushesAsSoonAsAllWaitForIt) {
  Start(36 * 100 + 2000, 3);
  Open(kOne, SyncSpec::Mode::kAsp);
  Open(kTwo, SyncSpec::Mode::kBsp);
  ASSERT_OK(Push(0, kOne, Keys(100)));  // Leaves 2000 bytes, of which 1000 are in reserve.
  for (const uint32_t rank : {2, 1}) {
    EXPECT_THAT(Push(rank, kTwo, Keys(25)), StatusIs(absl::StatusCode::kResourceExhausted,
                                                     HasSubstr("1100 bytes to be parked")));
  }
  for (const uint32_t rank : {0, 1, 2}) {
    EXPECT_OK(Push(rank, kTwo, Keys(rank == 1 ? 25 : 15)));
    EXPECT_OK(cluster_->Commit(rank, 0));
  }
  EXPECT_EQ(cluster_->ReadNow(kTwo, {0}), std::vector<float>{-3});
  EXPECT_THAT(Push(0, kTwo, Keys(26), 1),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("1144 bytes to be parked"),
                             HasSubstr("4500 of them by rows, which stay"))));
}

TEST_F(MemoryTest, AFoldWithoutMemoryForItsRowsIsSaidByLaterRequestsAndNotToBeRepeated) {
  Start(44 * 100 + 100);
  Open(kOne, SyncSpec::Mode::kBsp);
  ASSERT_OK(Push(0, kOne, Keys(100)));
  ASSERT_OK(cluster_->Commit(0, 0));
  std::vector<absl::Status> answers;
  for (const uint64_t key : Keys(100)) {
    answers.push_back(
        cluster_->StartPull(0, 1, {{kOne, {key}}}, absl::ZeroDuration(), true).Get().status());
  }
  EXPECT_THAT(answers,
              Contains(StatusIs(absl::StatusCode::kFailedPrecondition,
                                AllOf(HasSubstr("table1 at clock 0"), HasSubstr("new rows take"),
                                      HasSubstr("of 4500 bytes are in use")))));
}

TEST_F(MemoryTest, DenseTablesTakeTheirRowsWhenTheyAreOpenedAndGiveThemBack) {
  Start(10'000);
  Open(kOne, SyncSpec::Mode::kAsp, 1000);
  const TableSpec second = Spec(kTwo, SyncSpec::Mode::kAsp, 1600);
  EXPECT_THAT(cluster_->Open(kTwo, second),
              StatusIs(absl::StatusCode::kResourceExhausted,
                       AllOf(HasSubstr("table table2"), HasSubstr("memory of 10000 bytes"))));
  ASSERT_OK(Push(0, kOne, Keys(1000)));
  ASSERT_OK(cluster_->Drop("over"));
  EXPECT_OK(cluster_->Open(kTwo, second));
}

}  // namespace
}  // namespace seraph
