// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/parked_requests.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

class ParkedRequestsTest : public ::testing::Test {
 protected:
  void Watch(uint64_t job, int deadline_s) {
    ParkedRequests::Parked parked;
    parked.request.mutable_watch_job()->set_job(job);
    Add(std::move(parked), deadline_s);
  }
  void Ask(uint64_t node, uint64_t job, int deadline_s) {
    ParkedRequests::Parked parked;
    parked.request.mutable_next_task()->set_node(node);
    parked.request.mutable_next_task()->set_job(job);
    Add(std::move(parked), deadline_s);
  }
  void Add(ParkedRequests::Parked parked, int deadline_s) {
    parked.deadline = At(deadline_s);
    parked.respond = [](absl::StatusOr<Frame>) {};
    parked_.Add(std::move(parked));
  }
  static absl::Time At(int seconds) { return absl::UnixEpoch() + absl::Seconds(seconds); }

  template <typename Collect>
  static std::set<uint64_t> Of(Collect collect) {
    std::set<uint64_t> numbers;
    collect(&numbers);
    return numbers;
  }
  std::set<uint64_t> Watchers(uint64_t job) {
    return Of([&](auto* numbers) { parked_.CollectWatchers(job, numbers); });
  }
  std::set<uint64_t> Ranks(uint64_t job) {
    return Of([&](auto* numbers) { parked_.CollectRanks(job, numbers); });
  }
  std::set<uint64_t> Slots(uint64_t node) {
    return Of([&](auto* numbers) { parked_.CollectSlots(node, numbers); });
  }

  ParkedRequests parked_;
};

TEST_F(ParkedRequestsTest, AreFoundByWhatTheyWaitFor) {
  Watch(7, 1);   // 1
  Ask(3, 0, 1);  // 2
  Ask(3, 7, 1);  // 3
  Ask(4, 7, 1);  // 4
  Ask(3, 0, 1);  // 5
  Watch(8, 1);   // 6
  EXPECT_THAT(Watchers(7), ElementsAre(1));
  EXPECT_THAT(Watchers(9), IsEmpty());
  EXPECT_THAT(Ranks(7), ElementsAre(3, 4));
  EXPECT_THAT(Slots(3), ElementsAre(2, 3, 5));
  EXPECT_EQ(parked_.FreeSlots(3), 2u);
  EXPECT_EQ(parked_.FreeSlots(4), 0u);
  EXPECT_EQ(parked_.size(), 6u);
  EXPECT_EQ(parked_.Take(3).request.next_task().job(), 7u);
  parked_.Take(5);
  EXPECT_THAT(Ranks(7), ElementsAre(4));
  EXPECT_THAT(Slots(3), ElementsAre(2));
  EXPECT_EQ(parked_.FreeSlots(3), 1u);
}

TEST_F(ParkedRequestsTest, AreTakenWhenTheirTimeIsUp) {
  EXPECT_EQ(parked_.next_deadline(), absl::InfiniteFuture());
  Watch(1, 30);
  Watch(2, 10);
  Ask(3, 0, 20);
  EXPECT_EQ(parked_.next_deadline(), At(10));
  EXPECT_THAT(parked_.TakeLate(At(9)), IsEmpty());
  const std::vector<ParkedRequests::Parked> late = parked_.TakeLate(At(20));
  ASSERT_EQ(late.size(), 2u);
  EXPECT_EQ(late[0].request.watch_job().job(), 2u);
  EXPECT_EQ(late[1].request.next_task().node(), 3u);
  EXPECT_EQ(parked_.next_deadline(), At(30));
  EXPECT_THAT(Watchers(2), IsEmpty());
  EXPECT_EQ(parked_.TakeAll().size(), 1u);
  EXPECT_EQ(parked_.size(), 0u);
  EXPECT_THAT(Watchers(1), IsEmpty());
}

}  // namespace
}  // namespace seraph
