// SPDX-License-Identifier: Apache-2.0
#include "scheduler/membership.h"

#include "absl/strings/str_cat.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

absl::Time At(double seconds) { return absl::UnixEpoch() + absl::Seconds(seconds); }

NodeInfo Server(std::string name) {
  return {.kind = NodeKind::kServer, .name = std::move(name), .address = "host:1", .slots = 0};
}
NodeInfo Worker(std::string name) {
  return {.kind = NodeKind::kWorker, .name = std::move(name), .address = "", .slots = 1};
}

class MembershipTest : public ::testing::Test {
 protected:
  uint64_t Add(NodeInfo info, double at = 0) {
    return members_.Register(std::move(info), At(at)).value();
  }
  std::vector<std::string> Names(const std::vector<const Node*>& nodes) {
    std::vector<std::string> names;
    for (const Node* node : nodes) names.push_back(node->info.name);
    return names;
  }

  Membership members_{absl::Seconds(3)};
};

TEST_F(MembershipTest, IdsCountFromOneAndAreNeverReused) {
  EXPECT_EQ(Add(Server("server 0")), 1u);
  EXPECT_EQ(Add(Worker("worker 0")), 2u);
  ASSERT_OK(members_.Exited(2, "left"));
  EXPECT_EQ(Add(Worker("worker 0")), 3u);
}

TEST_F(MembershipTest, RefusesTheNameOfALiveNodeOfTheSameKind) {
  Add(Worker("a"));
  EXPECT_THAT(members_.Register(Worker("a"), At(1)),
              StatusIs(absl::StatusCode::kAlreadyExists, HasSubstr("worker \"a\": node 1")));
  EXPECT_OK(members_.Register(Server("a"), At(1)));
}

TEST_F(MembershipTest, RefusesImpossibleNodes) {
  EXPECT_THAT(members_.Register(Worker(""), At(0)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("no name")));
  EXPECT_THAT(
      members_.Register({.kind = NodeKind::kServer, .name = "s", .address = "", .slots = 0}, At(0)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("address")));
  EXPECT_THAT(
      members_.Register({.kind = NodeKind::kWorker, .name = "w", .address = "", .slots = 0}, At(0)),
      StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("0 slots")));
  EXPECT_THAT(members_.Register(Worker(std::string(257, 'x')), At(0)),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("257 bytes")));
}

TEST_F(MembershipTest, HeartbeatsKeepTheLease) {
  const uint64_t id = Add(Worker("worker 1"));
  for (double t = 1; t < 10; t += 2.5) {
    ASSERT_OK(members_.Heartbeat(id, At(t)));
    EXPECT_THAT(members_.Expire(At(t + 2.4)), IsEmpty());
  }
}

TEST_F(MembershipTest, SilenceForLongerThanTheLeaseIsDeath) {
  Add(Worker("worker 1"));
  EXPECT_THAT(members_.Expire(At(3)), IsEmpty());  // As long as the lease is not longer.
  EXPECT_GT(members_.next_expiry(), At(3));
  const std::vector<const Node*> died = members_.Expire(members_.next_expiry());
  ASSERT_EQ(died.size(), 1u);
  EXPECT_EQ(DescribeDeath(*died[0]), "worker 1 (node 1) missed its lease of 3 s");
  EXPECT_THAT(members_.Heartbeat(1, At(4)),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("missed its lease")));
  EXPECT_THAT(members_.Expire(At(9)), IsEmpty());
  EXPECT_EQ(members_.next_expiry(), absl::InfiniteFuture());
}

TEST_F(MembershipTest, ExitsAreToldByIdOrName) {
  Add(Worker("worker 1"));
  auto died = members_.ExitedByName(NodeKind::kWorker, "worker 1", "killed by signal 9");
  ASSERT_OK(died);
  EXPECT_EQ(DescribeDeath(**died), "worker 1 (node 1) was killed by signal 9");
  // The first reason stays.
  auto again = members_.Exited(1, "left");
  ASSERT_OK(again);
  EXPECT_EQ(*again, nullptr);
  EXPECT_EQ(members_.Find(1)->exit_reason, "was killed by signal 9");
}

TEST_F(MembershipTest, AnExitByNameMeansTheLatestOfThatName) {
  Add(Worker("w"));
  ASSERT_OK(members_.Exited(1, "left"));
  Add(Worker("w"));
  ASSERT_OK(members_.ExitedByName(NodeKind::kWorker, "w", ""));
  EXPECT_EQ(DescribeDeath(*members_.Find(2)), "w (node 2) exited");
}

TEST_F(MembershipTest, StrangersAreNotFound) {
  EXPECT_THAT(members_.Heartbeat(9, At(0)), StatusIs(absl::StatusCode::kNotFound, HasSubstr("9")));
  EXPECT_THAT(members_.Exited(9, ""), StatusIs(absl::StatusCode::kNotFound, HasSubstr("node 9")));
  EXPECT_THAT(members_.ExitedByName(NodeKind::kServer, "x", ""),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr("server \"x\"")));
}

TEST_F(MembershipTest, LiveNodesComeInTheOrderOfTheirNames) {
  for (const char* name : {"worker 10", "worker 2", "worker 0"}) Add(Worker(name));
  Add(Server("server 0"));
  EXPECT_THAT(Names(members_.Live(NodeKind::kWorker)),
              ::testing::ElementsAre("worker 0", "worker 2", "worker 10"));
  ASSERT_OK(members_.Exited(2, "left"));
  EXPECT_THAT(Names(members_.Live(NodeKind::kWorker)),
              ::testing::ElementsAre("worker 0", "worker 10"));
}

TEST_F(MembershipTest, ForgetsTheLongDead) {
  for (size_t i = 0; i <= Membership::kDeadKept; ++i) {
    const uint64_t id = Add(Worker("w"));
    ASSERT_OK(members_.Exited(id, "left"));
  }
  EXPECT_EQ(members_.nodes().size(), Membership::kDeadKept);
  EXPECT_EQ(members_.Find(1), nullptr);
}

TEST_F(MembershipTest, TooManyLiveNodesAreRefused) {
  for (size_t i = 0; i < Membership::kMostLive; ++i) Add(Server(absl::StrCat("s", i)));
  EXPECT_THAT(members_.Register(Server("more"), At(0)),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("10000 live nodes")));
  ASSERT_OK(members_.Exited(1, "left"));
  EXPECT_EQ(Add(Server("more")), Membership::kMostLive + 1);
}

}  // namespace
}  // namespace seraph
