// SPDX-License-Identifier: Apache-2.0
#include "client/cli/interrupt_watch.h"

#include <signal.h>
#include <unistd.h>

#include <future>

#include "gtest/gtest.h"

namespace seraph {
namespace {

// What a watch forces, told to the test instead of ending it.
struct Forced {
  std::promise<int> told;
  std::future<int> number = told.get_future();
  std::function<void(int)> Force() {
    return [this](int signal_number) { told.set_value(signal_number); };
  }
};

void AwaitSignal(const InterruptWatch& watch) {
  while (!watch.signal().has_value()) std::this_thread::yield();
}

TEST(InterruptWatchTest, TheFirstSignalStays) {
  Forced forced;
  InterruptWatch watch(absl::ZeroDuration(), absl::Hours(1), forced.Force());
  EXPECT_FALSE(watch.signal().has_value());
  ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
  AwaitSignal(watch);
  EXPECT_EQ(watch.signal(), SIGINT);
  EXPECT_EQ(watch.signal(), SIGINT);
}

TEST(InterruptWatchTest, AnotherSignalForcesTheEnd) {
  Forced forced;
  InterruptWatch watch(absl::ZeroDuration(), absl::Hours(1), forced.Force());
  ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
  AwaitSignal(watch);
  // The watch may still be settling when the next one comes, and takes it for the first.
  while (forced.number.wait_for(std::chrono::milliseconds(1)) != std::future_status::ready) {
    ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
  }
  EXPECT_EQ(forced.number.get(), SIGINT);
}

TEST(InterruptWatchTest, ASignalRightBehindTheFirstIsTheSame) {
  Forced forced;
  {
    InterruptWatch watch(absl::Hours(1), absl::ZeroDuration(), forced.Force());
    ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
    AwaitSignal(watch);
    ASSERT_EQ(::kill(::getpid(), SIGINT), 0);
    ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
  }
  EXPECT_EQ(forced.number.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
}

TEST(InterruptWatchTest, ACommandThatDoesNotEndInTimeIsForced) {
  Forced forced;
  InterruptWatch watch(absl::ZeroDuration(), absl::Milliseconds(1), forced.Force());
  ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
  EXPECT_EQ(forced.number.get(), SIGTERM);
}

TEST(InterruptWatchTest, NothingIsForcedOnceItIsGone) {
  Forced forced;
  {
    InterruptWatch watch(absl::ZeroDuration(), absl::Hours(1), forced.Force());
    ASSERT_EQ(::kill(::getpid(), SIGTERM), 0);
    AwaitSignal(watch);
  }
  EXPECT_EQ(forced.number.wait_for(std::chrono::seconds(0)), std::future_status::timeout);
}

}  // namespace
}  // namespace seraph
