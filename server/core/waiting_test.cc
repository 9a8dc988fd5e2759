// SPDX-License-Identifier: Apache-2.0
// Who waits for whom, how long, and what is said when it takes too long. The clock is turned by
// hand.
#include <memory>
#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/core/core_cluster.h"
#include "tests/fakes/fake_clock.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr uint32_t kWeights = 1;
const std::vector<uint64_t> kKeys = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9};

class WaitingTest : public ::testing::Test {
 protected:
  void Start(SyncSpec sync, uint32_t workers, int cores = 2, int64_t memory_bytes = 1 << 30) {
    cluster_ = std::make_unique<CoreCluster>(CoreCluster::Options{.clock = &clock_,
                                                                  .cores = cores,
                                                                  .executors = 2,
                                                                  .workers = workers,
                                                                  .memory_bytes = memory_bytes});
    TableSpec spec;
    spec.name = "weights";
    spec.partitions = 8;
    spec.optimizer.learning_rate = 1;
    spec.sync = sync;
    ASSERT_OK(cluster_->Open(kWeights, spec));
  }
  Later<absl::StatusOr<Pulled>> StartPull(uint32_t rank, int64_t clock,
                                          absl::Duration timeout = absl::Seconds(60)) {
    return cluster_->StartPull(rank, clock, {{kWeights, kKeys}}, timeout);
  }
  absl::Status PushOnes(uint32_t rank, int64_t clock) {
    return cluster_->PushGradient(rank, clock, kWeights, kKeys,
                                  std::vector<float>(kKeys.size(), 1));
  }
  // Pull, push and commit of one step; the pull must not have to wait.
  void Step(uint32_t rank, int64_t clock) {
    const auto pull = StartPull(rank, clock);
    ASSERT_EQ(cluster_->Stats().parked_now, 0u) << "worker " << rank << " at clock " << clock;
    ASSERT_OK(pull.Get());
    ASSERT_OK(PushOnes(rank, clock));
    ASSERT_OK(cluster_->Commit(rank, clock));
  }

  FakeClock clock_;
  std::unique_ptr<CoreCluster> cluster_;
};

const SyncSpec kBsp{.mode = SyncSpec::Mode::kBsp};
const SyncSpec kSsp4{.mode = SyncSpec::Mode::kSsp, .staleness = 4};

TEST_F(WaitingTest, SspParksExactlyAtTheBoundAndTheLargestStalenessEqualsIt) {
  Start(kSsp4, 3);
  // Worker 2 is held before its first commit.
  for (int64_t c = 0; c <= 4; ++c) {
    for (const uint32_t rank : {0, 1}) Step(rank, c);
  }
  const auto first = StartPull(0, 5), second = StartPull(1, 5);
  EXPECT_EQ(cluster_->Stats().parked_now, 4u);  // Two pulls on each of two cores.
  EXPECT_EQ(cluster_->Stats().max_staleness, 4);
  EXPECT_FALSE(first.ready());
  clock_.Advance(absl::Seconds(3));
  ASSERT_OK(cluster_->Commit(2, 0));
  EXPECT_OK(first.Get());
  EXPECT_OK(second.Get());
  const CoreStats stats = cluster_->Stats();
  EXPECT_EQ(stats.parked_now, 0u);
  EXPECT_EQ(stats.parked_peak, 2u);
  EXPECT_NEAR(stats.parked_s, 4 * 3, 1e-6);
  ASSERT_OK(PushOnes(0, 5));
  EXPECT_EQ(cluster_->Stats().max_staleness, 4);
}

TEST_F(WaitingTest, BspPullsWaitForTheFoldAndReadItWholeWithItsVersion) {
  Start(kBsp, 2);
  ASSERT_OK(PushOnes(0, 0));
  ASSERT_OK(cluster_->Commit(0, 0, 1));
  const auto pull = StartPull(0, 1);
  EXPECT_EQ(cluster_->Stats().parked_now, 2u);
  ASSERT_OK(PushOnes(1, 0));
  EXPECT_FALSE(pull.ready());
  EXPECT_THAT(cluster_->ReadNow(kWeights, {3}), ElementsAre(0));
  ASSERT_OK(cluster_->Commit(1, 0, 1));
  const Pulled pulled = pull.Get().value();
  EXPECT_EQ(pulled.version, 1);
  EXPECT_EQ(pulled.rows[0], std::vector<float>(kKeys.size(), -1));
}

TEST_F(WaitingTest, AtTheDeadlineThePullNamesTablesClockAndTheWorkersWaitedFor) {
  Start(kBsp, 3);
  for (const uint32_t rank : {0, 1, 2}) ASSERT_OK(cluster_->Commit(rank, 0));
  ASSERT_OK(cluster_->Commit(0, 1));
  ASSERT_OK(cluster_->Commit(2, 1));
  const auto pull = StartPull(0, 2, absl::Seconds(2));
  EXPECT_EQ(cluster_->Stats().parked_now, 2u);
  clock_.Advance(absl::Seconds(2));
  EXPECT_THAT(pull.Get(), StatusIs(absl::StatusCode::kDeadlineExceeded,
                                   "pull of weights at clock 2 waited 2 s for worker 1 (at clock "
                                   "1)"));
  // The others go on once the worker is back.
  const auto later = StartPull(2, 2);
  ASSERT_OK(cluster_->Commit(1, 1));
  EXPECT_OK(later.Get());
}

TEST_F(WaitingTest, SeveralWorkersWaitedForAreAllNamed) {
  Start(kSsp4, 3);
  const auto pull = StartPull(0, 6, absl::Milliseconds(1500));
  EXPECT_EQ(cluster_->Stats().parked_now, 2u);
  clock_.Advance(absl::Milliseconds(1500));
  EXPECT_THAT(pull.Get(),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       "pull of weights at clock 6 waited 1.5 s for workers 1 (at clock 0), 2 (at "
                       "clock 0)"));
}

TEST_F(WaitingTest, APullThatMayNotWaitIsAnsweredAtOnce) {
  Start(kBsp, 2);
  ASSERT_OK(cluster_->Commit(0, 0));
  EXPECT_THAT(StartPull(0, 1, absl::ZeroDuration()).Get(),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("for worker 1")));
}

TEST_F(WaitingTest, ARankWithoutRowsCommitsAndTheOthersGoOn) {
  Start(kBsp, 2);
  ASSERT_OK(cluster_->Pull(1, 0, {{kWeights, {}}}));
  ASSERT_OK(cluster_->Push(1, 0, CorePushKind::kGradient, {{kWeights, {}, {}}}));
  ASSERT_OK(PushOnes(0, 0));
  ASSERT_OK(cluster_->Commit(0, 0, 4));
  ASSERT_OK(cluster_->Commit(1, 0, 0));
  EXPECT_EQ(cluster_->Pull(1, 1, {{kWeights, {7}}}).value().rows[0], std::vector<float>{-0.25f});
}

TEST_F(WaitingTest, AnEmptyPullIsAnsweredAtOnceEvenWhereOthersWait) {
  Start(kBsp, 2);
  ASSERT_OK(cluster_->Commit(0, 0));
  EXPECT_OK(cluster_->Pull(0, 1, {{kWeights, {}}}));
  EXPECT_OK(cluster_->Pull(0, 1, {}));
}

TEST_F(WaitingTest, ReadsOutsideAnyClockNeverWait) {
  Start(kBsp, 2);
  ASSERT_OK(cluster_->Commit(0, 0));
  EXPECT_THAT(cluster_->ReadNow(kWeights, {1, 2}), ElementsAre(0, 0));
}

TEST_F(WaitingTest, DroppingTheGroupEndsItsWaitsWithTheReason) {
  Start(kBsp, 2);
  ASSERT_OK(cluster_->Commit(0, 0));
  const auto pull = StartPull(0, 1);
  EXPECT_EQ(cluster_->Stats().parked_now, 2u);
  ASSERT_OK(cluster_->Drop("worker 1 was killed by signal 9"));
  EXPECT_THAT(pull.Get(), StatusIs(absl::StatusCode::kAborted,
                                   AllOf(HasSubstr("group g"), HasSubstr("killed by signal 9"))));
  EXPECT_EQ(cluster_->Stats().rows, 0u);
  EXPECT_THAT(cluster_->core(0)->FindTable("g", kWeights),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("killed by signal 9")));
  EXPECT_THAT(cluster_->Commit(0, 1),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("killed by signal 9")));
  EXPECT_OK(cluster_->Drop("again"));
}

TEST_F(WaitingTest, ShuttingDownEndsWaitsAndRefusesWhatComesLater) {
  Start(kBsp, 2, 1);
  ASSERT_OK(cluster_->Commit(0, 0));
  const auto pull = StartPull(0, 1);
  EXPECT_EQ(cluster_->Stats().parked_now, 1u);
  cluster_->core(0)->Shutdown(absl::UnavailableError("server s0 is leaving"));
  EXPECT_THAT(pull.Get(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("s0 is leaving")));
  EXPECT_THAT(StartPull(0, 1).Get(), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("down")));
  EXPECT_THAT(PushOnes(1, 0), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("down")));
  EXPECT_THAT(cluster_->Commit(1, 0), StatusIs(absl::StatusCode::kUnavailable, HasSubstr("down")));
}

TEST_F(WaitingTest, ParkedPushesKeepToTheMemoryButTheLowestRankAlwaysPasses) {
  Start(kBsp, 3, 1, 40'000);
  const auto many = [](uint64_t first) {
    std::vector<uint64_t> keys(200);
    for (size_t i = 0; i < keys.size(); ++i) keys[i] = first + i;
    return keys;
  };
  const std::vector<float> ones(200, 1);
  // 44 bytes a key: what its sum will take. Others than the lowest rank leave half of the memory.
  ASSERT_OK(cluster_->PushGradient(2, 0, kWeights, many(0), ones));
  ASSERT_OK(cluster_->PushGradient(2, 0, kWeights, many(0), ones));
  EXPECT_EQ(cluster_->Stats().parked_push_bytes, 2 * 8800u);
  EXPECT_THAT(
      cluster_->PushGradient(1, 0, kWeights, many(0), ones),
      StatusIs(absl::StatusCode::kResourceExhausted,
               AllOf(HasSubstr("table weights"), HasSubstr("worker 1"), HasSubstr("clock 0"),
                     HasSubstr("8800 bytes"), HasSubstr("memory of 40000 bytes"))));
  ASSERT_OK(cluster_->PushGradient(0, 0, kWeights, many(0), ones));
  ASSERT_OK(cluster_->Commit(0, 0));
  EXPECT_EQ(cluster_->Stats().parked_push_bytes, 3 * 8800u);  // One of them sums.
  ASSERT_OK(cluster_->PushGradient(1, 0, kWeights, many(0), ones));
  for (const uint32_t rank : {1, 2}) ASSERT_OK(cluster_->Commit(rank, 0));
  EXPECT_EQ(cluster_->Stats().parked_push_bytes, 0u);
}

TEST_F(WaitingTest, IdleRanksHoldNobodyBackAndAllResumeAtTheLargestClock) {
  Start(kSsp4, 2);
  ASSERT_OK(cluster_->Commit(1, 0, 0, true));
  for (int64_t c = 0; c < 20; ++c) Step(0, c);
  ASSERT_OK(cluster_->Commit(0, 20, 0, true));
  // The next epoch begins for both at 21, and the bound holds from there.
  for (int64_t c = 21; c <= 25; ++c) Step(0, c);
  const auto pull = StartPull(0, 26);
  EXPECT_EQ(cluster_->Stats().parked_now, 2u);
  ASSERT_OK(cluster_->Commit(1, 21));
  EXPECT_OK(pull.Get());
  EXPECT_EQ(cluster_->Stats().max_staleness, 4);
}

TEST_F(WaitingTest, AspWaitsForNobody) {
  Start({.mode = SyncSpec::Mode::kAsp}, 2);
  for (int64_t c = 0; c < 50; ++c) Step(0, c);
  EXPECT_EQ(cluster_->Stats().max_staleness, 49);
}

}  // namespace
}  // namespace seraph
