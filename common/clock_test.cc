// SPDX-License-Identifier: Apache-2.0
#include "common/clock.h"

#include <thread>

#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(SystemClockTest, TimeDoesNotRunBackwards) {
  SystemClock clock;
  absl::Time last = clock.Now();
  for (int i = 0; i < 1000; ++i) {
    const absl::Time now = clock.Now();
    ASSERT_GE(now, last);
    last = now;
  }
}

TEST(SystemClockTest, WaitEndsAfterTheDeadlineAndNotBefore) {
  SystemClock clock;
  Mutex mu;
  CondVar cv;
  const absl::Time deadline = clock.Now() + absl::Milliseconds(20);
  MutexLock lock(&mu);
  while (clock.WaitUntil(&cv, &mu, deadline)) {
  }
  EXPECT_GE(clock.Now(), deadline);
}

TEST(SystemClockTest, DeadlineInThePastDoesNotWait) {
  SystemClock clock;
  Mutex mu;
  CondVar cv;
  MutexLock lock(&mu);
  EXPECT_FALSE(clock.WaitUntil(&cv, &mu, clock.Now()));
  EXPECT_FALSE(clock.WaitUntil(&cv, &mu, absl::InfinitePast()));
}

TEST(SystemClockTest, NotificationEndsAWaitWithoutDeadline) {
  SystemClock clock;
  Mutex mu;
  CondVar cv;
  bool ready = false;
  std::thread other([&] {
    MutexLock lock(&mu);
    ready = true;
    cv.NotifyAll();
  });
  {
    MutexLock lock(&mu);
    while (!ready) EXPECT_TRUE(clock.WaitUntil(&cv, &mu, absl::InfiniteFuture()));
  }
  other.join();
}

}  // namespace
}  // namespace seraph
