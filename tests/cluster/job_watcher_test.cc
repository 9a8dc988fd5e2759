// SPDX-License-Identifier: Apache-2.0
#include "worker/train/job_watcher.h"

#include <chrono>
#include <future>

#include "tests/cluster/test_scheduler.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

class JobWatcherTest : public ::testing::Test {
 protected:
  // A watcher of the job, and what it will tell.
  std::unique_ptr<JobWatcher> Watch(TestScheduler* scheduler, uint64_t job) {
    return std::make_unique<JobWatcher>(
        scheduler->agent(), scheduler->clock(), job,
        [this](const absl::Status& status) { told_.set_value(status); });
  }
  static void Cancel(TestScheduler* scheduler, uint64_t job, const std::string& reason) {
    ASSERT_OK(scheduler->agent()->CancelJob(job, reason, absl::Seconds(30)));
  }
  static absl::Status Told(std::promise<absl::Status>* promise) {
    std::future<absl::Status> told = promise->get_future();
    if (told.wait_for(std::chrono::minutes(1)) != std::future_status::ready) {
      return absl::DeadlineExceededError("nothing was told within a minute");
    }
    return told.get();
  }

  std::promise<absl::Status> told_;
};

TEST_F(JobWatcherTest, TellsWhyAJobEnded) {
  TestScheduler scheduler;
  const uint64_t job = scheduler.Submit(SmallJob("/data/train", 1));
  const auto watcher = Watch(&scheduler, job);
  Cancel(&scheduler, job, "interrupted");
  EXPECT_THAT(Told(&told_), StatusIs(absl::StatusCode::kAborted, HasSubstr("interrupted")));
}

TEST_F(JobWatcherTest, GoesOnAfterASchedulerThatWasFull) {
  ControlService::Options options;
  options.most_parked = 1;
  TestScheduler scheduler(options);
  const uint64_t other = scheduler.Submit(SmallJob("/data/train", 1));
  const uint64_t job = scheduler.Submit(SmallJob("/data/train", 1));
  std::promise<absl::Status> other_told;
  const JobWatcher other_watcher(
      scheduler.agent(), scheduler.clock(), other,
      [&other_told](const absl::Status& status) { other_told.set_value(status); });
  const auto watcher = Watch(&scheduler, job);
  scheduler.WaitForAnswers(absl::StatusCode::kResourceExhausted, 1);  // Of one of the two.
  Cancel(&scheduler, other, "first");
  Cancel(&scheduler, job, "second");
  EXPECT_THAT(Told(&told_), StatusIs(absl::StatusCode::kAborted, HasSubstr("second")));
  EXPECT_THAT(Told(&other_told), StatusIs(absl::StatusCode::kAborted, HasSubstr("first")));
}

TEST_F(JobWatcherTest, EndsWhenTheSchedulerDoesNotKnowTheJob) {
  TestScheduler scheduler;
  const auto watcher = Watch(&scheduler, 7);
  scheduler.WaitForAnswers(absl::StatusCode::kNotFound, 1);
  std::future<absl::Status> told = told_.get_future();
  EXPECT_NE(told.wait_for(std::chrono::seconds(0)), std::future_status::ready);
}

}  // namespace
}  // namespace seraph
