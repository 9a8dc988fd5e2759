// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/auc_counter.h"

#include <future>
#include <limits>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

absl::Status Add(AucCounter* counter, uint64_t job, uint64_t task, std::vector<ScoreCount> counts) {
  std::promise<absl::Status> added;
  counter->Add(job, task, std::move(counts), [&](absl::Status status) { added.set_value(status); });
  return added.get_future().get();
}

absl::StatusOr<CountedScores> Count(AucCounter* counter, uint64_t job, uint64_t task) {
  std::promise<absl::StatusOr<CountedScores>> counted;
  counter->Count(job, task,
                 [&](absl::StatusOr<CountedScores> scores) { counted.set_value(scores); });
  return counted.get_future().get();
}

TEST(AucCounterTest, CountsWhatWasAddedOfAllRanks) {
  AucCounter counter(ScoreRuns::Options{});
  ASSERT_OK(Add(&counter, 1, 4, {{0.5f, 1, 0}, {0.2f, 0, 1}}));
  ASSERT_OK(Add(&counter, 2, 4, {{0.5f, 7, 7}}));  // Another job.
  ASSERT_OK(Add(&counter, 1, 4, {{0.2f, 1, 0}}));
  auto counted = Count(&counter, 1, 4);
  ASSERT_OK(counted);
  EXPECT_EQ(counted->rows, 3u);
  EXPECT_EQ(counted->auc, 0.75);
  EXPECT_EQ(Count(&counter, 1, 4)->rows, 0u);  // Counted means forgotten.
}

TEST(AucCounterTest, ANewTaskBeginsAnew) {
  AucCounter counter(ScoreRuns::Options{});
  ASSERT_OK(Add(&counter, 1, 4, {{0.5f, 1, 0}}));
  ASSERT_OK(Add(&counter, 1, 6, {{0.5f, 0, 1}}));
  auto counted = Count(&counter, 1, 6);
  ASSERT_OK(counted);
  EXPECT_EQ(counted->rows, 1u);
  EXPECT_EQ(counted->auc, std::nullopt);
}

TEST(AucCounterTest, TheFirstErrorIsTheResult) {
  AucCounter counter(ScoreRuns::Options{});
  const float nan = std::numeric_limits<float>::quiet_NaN();
  EXPECT_FALSE(Add(&counter, 1, 4, {{nan, 1, 0}}).ok());
  Add(&counter, 1, 4, {{0.5f, 1, 1}}).IgnoreError();
  EXPECT_THAT(Count(&counter, 1, 4),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("NaN")));
}

TEST(AucCounterTest, AForgottenJobHasNoScores) {
  AucCounter counter(ScoreRuns::Options{});
  ASSERT_OK(Add(&counter, 1, 4, {{0.5f, 1, 0}}));
  counter.Forget(1);
  EXPECT_EQ(Count(&counter, 1, 4)->rows, 0u);
}

}  // namespace
}  // namespace seraph
