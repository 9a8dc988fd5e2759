// SPDX-License-Identifier: Apache-2.0
#include "server/core/executor.h"

#include <thread>
#include <vector>

#include "common/clock.h"
#include "common/mutex.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

TEST(ExecutorTest, WorkOfOneThreadIsDoneInOrderAndAllOfItBeforeStopReturns) {
  SystemClock clock;
  MemoryBudget budget(1 << 20);
  std::vector<int> done;
  Executor executor(0, &clock, &budget);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_TRUE(executor.Post([&done, i](PartitionSet*) { done.push_back(i); }));
  }
  executor.Stop(absl::UnavailableError("over"));
  ASSERT_EQ(done.size(), 1000u);
  for (int i = 0; i < 1000; ++i) EXPECT_EQ(done[i], i);
}

TEST(ExecutorTest, TakesWorkFromManyThreads) {
  SystemClock clock;
  MemoryBudget budget(1 << 20);
  int done = 0;
  {
    Executor executor(0, &clock, &budget);
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        for (int i = 0; i < 500; ++i) executor.Post([&done](PartitionSet*) { ++done; });
      });
    }
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(done, 2000);
}

TEST(ExecutorTest, TakesNoWorkOnceStoppedAndStopsTwice) {
  SystemClock clock;
  MemoryBudget budget(1 << 20);
  Executor executor(0, &clock, &budget);
  executor.Stop(absl::UnavailableError("over"));
  EXPECT_FALSE(executor.Post([](PartitionSet*) { ADD_FAILURE(); }));
  executor.Stop(absl::UnavailableError("over"));
}

}  // namespace
}  // namespace seraph
