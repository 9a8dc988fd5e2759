// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_events.h"

#include "gtest/gtest.h"

namespace seraph {
namespace {

TEST(EventLogTest, NumbersCountFromOne) {
  EventLog log;
  EXPECT_EQ(log.last(), 0u);
  log.Append(JobStartedEvent{2, 2, 10});
  log.Append(EpochDoneEvent{});
  EXPECT_EQ(log.last(), 2u);
  ASSERT_EQ(log.After(0).size(), 2u);
  EXPECT_EQ(log.After(0)[0].number, 1u);
  ASSERT_EQ(log.After(1).size(), 1u);
  EXPECT_TRUE(std::holds_alternative<EpochDoneEvent>(log.After(1)[0].kind));
  EXPECT_TRUE(log.After(2).empty());
}

TEST(EventLogTest, OldProgressGoesAndTheRestStays) {
  EventLog log;
  log.Append(JobStartedEvent{});
  for (size_t i = 0; i < EventLog::kProgressKept + 10; ++i) log.Append(JobProgressEvent{});
  log.Append(EpochDoneEvent{});
  const std::vector<JobEvent> events = log.After(0);
  EXPECT_EQ(events.size(), EventLog::kProgressKept + 2);
  EXPECT_EQ(events[0].number, 1u);
  EXPECT_EQ(events[1].number, 12u);
  EXPECT_EQ(events.back().number, log.last());
  EXPECT_EQ(log.After(events[5].number).front().number, events[6].number);
}

}  // namespace
}  // namespace seraph
