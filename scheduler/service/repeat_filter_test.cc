// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/repeat_filter.h"

#include "tests/status_matchers.h"

namespace seraph {
namespace {

v1::ControlReply Node(uint64_t node) {
  v1::ControlReply reply;
  reply.mutable_register_node()->set_node(node);
  return reply;
}

TEST(RepeatFilterTest, ARepeatGetsTheFirstAnswer) {
  RepeatFilter filter;
  EXPECT_FALSE(filter.Begin(7).has_value());
  filter.Finish(7, Node(3));
  auto again = filter.Begin(7);
  ASSERT_TRUE(again.has_value());
  ASSERT_OK(*again);
  EXPECT_EQ((*again)->register_node().node(), 3u);
  EXPECT_FALSE(filter.Begin(8).has_value());
}

TEST(RepeatFilterTest, ErrorsAreKeptButUnavailableIsWorthAnotherTry) {
  RepeatFilter filter;
  filter.Begin(1);
  filter.Finish(1, absl::AlreadyExistsError("there"));
  EXPECT_THAT(*filter.Begin(1), StatusIs(absl::StatusCode::kAlreadyExists, "there"));
  filter.Begin(2);
  filter.Finish(2, absl::UnavailableError("no server"));
  EXPECT_FALSE(filter.Begin(2).has_value());
}

TEST(RepeatFilterTest, ARepeatOfWhatIsStillAtWorkIsUnavailable) {
  RepeatFilter filter;
  filter.Begin(1);
  EXPECT_THAT(*filter.Begin(1), StatusIs(absl::StatusCode::kUnavailable, ::testing::_));
}

TEST(RepeatFilterTest, RequestsWithoutAnIdAreAllNew) {
  RepeatFilter filter;
  EXPECT_FALSE(filter.Begin(0).has_value());
  filter.Finish(0, Node(1));
  EXPECT_FALSE(filter.Begin(0).has_value());
}

TEST(RepeatFilterTest, OldAnswersAreForgotten) {
  RepeatFilter filter;
  for (uint64_t id = 1; id <= RepeatFilter::kKept + 1; ++id) {
    filter.Begin(id);
    filter.Finish(id, Node(id));
  }
  EXPECT_FALSE(filter.Begin(1).has_value());
  EXPECT_TRUE(filter.Begin(2).has_value());
}

}  // namespace
}  // namespace seraph
