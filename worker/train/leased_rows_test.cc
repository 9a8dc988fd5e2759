// SPDX-License-Identifier: Apache-2.0
#include "worker/train/leased_rows.h"

#include <map>

#include "tests/cluster/test_scheduler.h"
#include "tests/status_matchers.h"
#include "worker/data/data_set.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr int kRows = 5000;  // Five blocks, each a lease.
constexpr absl::Duration kDeadline = absl::Minutes(1);

// A job in its first epoch, whose ranks are played by the test.
class LeasedRowsTest : public ::testing::Test {
 protected:
  void StartEpoch(uint32_t workers) {
    const std::string path = WriteRows("leased_rows.dummy", kRows);
    data_ = DataSet::Open({{path, {"dummy", 0}}}, {LabelMap::Binary(), {}, ""}).value();
    index_ = data_->BuildIndex().value();
    scheduler_.Register(v1::SERVER, "server 0");
    for (uint32_t w = 0; w < workers; ++w) {
      nodes_.push_back(scheduler_.Register(v1::WORKER, absl::StrCat("worker ", w)));
    }
    v1::JobSpec job = SmallJob(path, workers);
    job.mutable_sync()->set_mode("asp");
    job.mutable_train()->set_epochs(1);
    job_ = scheduler_.Submit(job);
    v1::NextTask result;
    result.mutable_index()->set_prediction(v1::PREDICTION_KIND_BINARY);
    *result.mutable_index()->mutable_train() = ToProto(index_);
    HandIn(0, 1, result);
    for (uint32_t rank = 0; rank < workers; ++rank) {
      v1::NextTask prepared;
      prepared.mutable_prepare();
      HandIn(rank, 2, prepared);
    }
  }
  void HandIn(uint32_t rank, uint64_t task, v1::NextTask result) {
    Sign(SeatOf(rank), &result);
    result.set_task(task);
    ASSERT_OK(scheduler_.agent()->NextTask(result, kDeadline));
  }
  Seat SeatOf(uint32_t rank) const { return {nodes_[rank], job_, rank}; }
  std::unique_ptr<LeasedRows> RowsOf(uint32_t rank, uint64_t batch_size) {
    return std::make_unique<LeasedRows>(LeasedRows::Options{data_.get(), &index_,
                                                            scheduler_.agent(), SeatOf(rank), 1, 1,
                                                            1, batch_size, kDeadline, hold_out_});
  }
  // Reads a batch, counts its rows and reports them as learned; false at the end.
  bool Learn(LeasedRows* rows, size_t* size = nullptr) {
    BatchBuilder batch;
    const absl::StatusOr<bool> more = rows->NextBatch(&batch);
    EXPECT_OK(more);
    if (!more.ok() || !*more) return false;
    for (const uint64_t key : batch.batch().keys) ++seen_[key];
    if (size != nullptr) *size = batch.batch().rows();
    EXPECT_OK(rows->Learned());
    return true;
  }
  void ExpectAllSeenOnce() {
    EXPECT_EQ(seen_.size(), size_t{kRows});
    for (const auto& [key, times] : seen_) EXPECT_EQ(times, 1) << key;
  }

  const HoldOut* hold_out_ = nullptr;
  TestScheduler scheduler_;
  std::unique_ptr<DataSet> data_;
  DataIndex index_;
  std::vector<uint64_t> nodes_;
  uint64_t job_ = 0;
  std::map<uint64_t, int> seen_;  // Each row has a key of its own.
};

TEST_F(LeasedRowsTest, RowsHeldOutAreNotLearned) {
  StartEpoch(1);
  const HoldOut hold_out(index_, 0.3, 1);
  hold_out_ = &hold_out;
  const auto rows = RowsOf(0, 300);
  while (Learn(rows.get())) {
  }
  size_t held = 0;
  for (uint32_t b = 0; b < index_.blocks.size(); ++b) held += hold_out.RowsOf(b).size();
  EXPECT_GT(held, 0u);
  EXPECT_EQ(seen_.size(), kRows - held);
}

TEST_F(LeasedRowsTest, BatchesRunOnFromLeaseToLease) {
  StartEpoch(1);
  const auto rows = RowsOf(0, 300);
  size_t size = 0, batches = 0;
  while (Learn(rows.get(), &size)) {
    ++batches;
    EXPECT_EQ(size, batches < 17 ? 300u : 200u);
  }
  EXPECT_EQ(batches, 17u);
  ExpectAllSeenOnce();
}

TEST_F(LeasedRowsTest, WhatIsTooLittleForABatchJoinsTheLast) {
  StartEpoch(1);
  const auto rows = RowsOf(0, 2400);  // 2400, and 2600 with the 200 that are left.
  size_t first = 0, second = 0, third = 0;
  EXPECT_TRUE(Learn(rows.get(), &first));
  EXPECT_TRUE(Learn(rows.get(), &second));
  EXPECT_FALSE(Learn(rows.get(), &third));
  EXPECT_EQ(first, 2400u);
  EXPECT_EQ(second, 2600u);
  ExpectAllSeenOnce();
}

TEST_F(LeasedRowsTest, RanksShareTheRows) {
  StartEpoch(2);
  const auto a = RowsOf(0, 100), b = RowsOf(1, 100);
  bool more_a = true, more_b = true;
  while (more_a || more_b) {
    // Rank 1 is slower: it learns a batch for every third of rank 0.
    for (int i = 0; i < 3 && more_a; ++i) more_a = Learn(a.get());
    if (more_b) more_b = Learn(b.get());
  }
  ExpectAllSeenOnce();
}

// The scheduler takes a result only when all blocks are reported as learned.
TEST_F(LeasedRowsTest, AllLeasesAreReportedAtTheEnd) {
  StartEpoch(2);
  const auto rows = RowsOf(1, 64);
  while (Learn(rows.get())) {
  }
  for (uint32_t rank : {0, 1}) {
    v1::NextTask trained;
    trained.mutable_train()->set_rows(rank == 1 ? kRows : 0);
    HandIn(rank, 3, trained);
  }
  v1::NextTask saved;
  saved.mutable_save();
  HandIn(0, 4, saved);
  const v1::JobDone done = scheduler_.Wait(job_);
  EXPECT_EQ(done.status(), v1::JobDone::SUCCEEDED) << done.error();
}

TEST_F(LeasedRowsTest, ARankOfAJobThatHasEndedIsToldWhy) {
  StartEpoch(1);
  const auto rows = RowsOf(0, 64);
  ASSERT_OK(scheduler_.agent()->CancelJob(job_, "interrupted", kDeadline));
  BatchBuilder batch;
  EXPECT_THAT(rows->NextBatch(&batch),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("interrupted")));
}

}  // namespace
}  // namespace seraph
