// SPDX-License-Identifier: Apache-2.0
#include "client/fan_out.h"

#include <algorithm>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "common/clock.h"
#include "common/mutex.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "transport/in_process_network.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// A frame's number travels as the clock of its request.
Frame Numbered(size_t number) {
  Frame frame;
  frame.header.mutable_data_request()->set_clock(static_cast<int64_t>(number));
  return frame;
}

// Answers each frame with itself, or as the test says, at once or when asked to.
class TestServer : public FrameHandler {
 public:
  void Handle(Frame request, absl::string_view, Respond respond) override {
    const int64_t number = request.header.data_request().clock();
    absl::Status answer;
    {
      MutexLock lock(&mu_);
      seen_.push_back(number);
      std::vector<absl::Status>& script = answers_[number];
      if (!script.empty()) {
        answer = script.front();
        if (script.size() > 1) script.erase(script.begin());
      }
      if (holds_) {
        held_.push_back({std::move(request), std::move(respond)});
        peak_ = std::max(peak_, held_.size());
        changed_.NotifyAll();
        return;
      }
    }
    if (!answer.ok()) return respond(answer);
    respond(std::move(request));
  }

  // What frame `number` is answered with, the last for ever.
  void Script(int64_t number, std::vector<absl::Status> answers) {
    MutexLock lock(&mu_);
    answers_[number] = std::move(answers);
  }
  void Hold() {
    MutexLock lock(&mu_);
    holds_ = true;
  }
  // Answers what is held as soon as it is `count` frames or more; returns how many were answered, 0
  // when they do not come.
  size_t Release(size_t count) {
    std::vector<std::pair<Frame, Respond>> held;
    {
      MutexLock lock(&mu_);
      const absl::Time deadline = clock_.Now() + absl::Seconds(20);
      while (held_.size() < count) {
        if (!clock_.WaitUntil(&changed_, &mu_, deadline)) return 0;
      }
      held.swap(held_);
    }
    for (auto& [frame, respond] : held) respond(std::move(frame));
    return held.size();
  }
  // False when they do not come.
  bool WaitForHeld(size_t count) {
    MutexLock lock(&mu_);
    const absl::Time deadline = clock_.Now() + absl::Seconds(20);
    while (held_.size() < count) {
      if (!clock_.WaitUntil(&changed_, &mu_, deadline)) return false;
    }
    return true;
  }
  std::vector<int64_t> seen() {
    MutexLock lock(&mu_);
    return seen_;
  }
  size_t peak() {
    MutexLock lock(&mu_);
    return peak_;
  }

 private:
  SystemClock clock_;
  Mutex mu_;
  CondVar changed_;
  std::map<int64_t, std::vector<absl::Status>> answers_ ABSL_GUARDED_BY(mu_);
  std::vector<int64_t> seen_ ABSL_GUARDED_BY(mu_);
  bool holds_ ABSL_GUARDED_BY(mu_) = false;
  std::vector<std::pair<Frame, Respond>> held_ ABSL_GUARDED_BY(mu_);
  size_t peak_ ABSL_GUARDED_BY(mu_) = 0;
};

class FanOutTest : public ::testing::Test {
 protected:
  FanOutTest() {
    for (const std::string name : {"s0", "s1"}) {
      servers_.push_back(std::make_unique<TestServer>());
      listeners_.push_back(network_->Listen(name, servers_.back().get()).value());
      channels_.push_back(network_->Connect(name).value());
    }
  }
  // Frame i goes to server to[i].
  absl::Status Call(const std::vector<size_t>& to, bool repeat_refused,
                    absl::Duration deadline = absl::Seconds(20)) {
    std::vector<Channel*> channels;
    for (const size_t server : to) channels.push_back(channels_[server].get());
    const FanOut fan_out{.clock = &clock_,
                         .deadline = deadline,
                         .answer_slack = absl::Seconds(2),
                         .repeat_refused = repeat_refused,
                         .cancellation = &cancellation_};
    return CallAll(
        channels, fan_out, [](size_t i, absl::Duration) { return Numbered(i); },
        [this](size_t i, const Frame& reply) {
          EXPECT_EQ(reply.header.data_request().clock(), static_cast<int64_t>(i));
          replied_.push_back(i);
          return absl::OkStatus();
        });
  }

  SystemClock clock_;
  std::unique_ptr<Network> network_ = NewInProcessNetwork(&clock_);
  std::vector<std::unique_ptr<TestServer>> servers_;
  std::vector<std::unique_ptr<Listener>> listeners_;
  std::vector<std::shared_ptr<Channel>> channels_;
  std::vector<size_t> replied_;
  CallCancellation cancellation_;
};

const absl::Status kRefused = absl::ResourceExhaustedError("table weights: 7 bytes");

TEST_F(FanOutTest, NoFramesAreAnsweredAtOnce) {
  EXPECT_OK(Call({}, true));
  EXPECT_THAT(replied_, IsEmpty());
}

TEST_F(FanOutTest, RepliesComeInNumberOrder) {
  ASSERT_OK(Call({1, 0, 1, 0, 0}, false));
  EXPECT_THAT(replied_, ElementsAre(0, 1, 2, 3, 4));
  EXPECT_THAT(servers_[0]->seen(), ElementsAre(1, 3, 4));
  EXPECT_THAT(servers_[1]->seen(), ElementsAre(0, 2));
}

TEST_F(FanOutTest, AServerHasOnlyAFewFramesAtATime) {
  servers_[0]->Hold();
  std::thread answers([this] {
    for (size_t answered = 0; answered < 10;) {
      const size_t more = servers_[0]->Release(std::min(kFramesInFlight, 10 - answered));
      answered += more;
      if (more == 0) return;
    }
  });
  EXPECT_OK(Call(std::vector<size_t>(10, 0), false));
  answers.join();
  EXPECT_EQ(servers_[0]->peak(), kFramesInFlight);
  EXPECT_EQ(replied_.size(), 10u);
}

TEST_F(FanOutTest, OnlyRefusedFramesAreSentAgain) {
  servers_[0]->Script(1, {kRefused, kRefused, absl::OkStatus()});
  ASSERT_OK(Call({0, 0, 0, 1}, true));
  EXPECT_THAT(replied_, ElementsAre(0, 1, 2, 3));
  const std::vector<int64_t> seen = servers_[0]->seen();
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 0), 1);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), 3);
  EXPECT_EQ(std::count(seen.begin(), seen.end(), 2), 1);
  EXPECT_THAT(servers_[1]->seen(), ElementsAre(3));
}

TEST_F(FanOutTest, AServerThatRefusesUntilTheDeadlineIsNamedWithItsWords) {
  servers_[1]->Script(1, {kRefused});
  EXPECT_THAT(Call({0, 1}, true, absl::Milliseconds(60)),
              StatusIs(absl::StatusCode::kDeadlineExceeded,
                       AllOf(HasSubstr("waited 0.06 s for server s1 to have memory"),
                             HasSubstr("table weights: 7 bytes"))));
  EXPECT_GT(servers_[1]->seen().size(), 1u);
}

TEST_F(FanOutTest, WithoutLeaveToRepeatARefusalIsTheAnswer) {
  servers_[0]->Script(0, {kRefused});
  EXPECT_EQ(Call({0}, false), kRefused);
  EXPECT_EQ(servers_[0]->seen().size(), 1u);
}

TEST_F(FanOutTest, AfterAnErrorNoFurtherFramesAreSentOrRepeated) {
  servers_[0]->Script(1, {kRefused});
  servers_[0]->Script(2, {absl::AbortedError("over")});
  EXPECT_THAT(Call(std::vector<size_t>(10, 0), true),
              StatusIs(absl::StatusCode::kAborted, HasSubstr("over")));
  EXPECT_THAT(servers_[0]->seen(), ElementsAre(0, 1, 2, 3));
  EXPECT_THAT(replied_, ElementsAre(0, 3));
}

TEST_F(FanOutTest, ACancelledCallEndsAtOnceAndSoDoLaterOnes) {
  servers_[0]->Hold();
  const auto ended = StatusIs(absl::StatusCode::kAborted, HasSubstr("the job has ended"));
  std::thread cancel([this] {
    EXPECT_TRUE(servers_[0]->WaitForHeld(1));
    cancellation_.Cancel(absl::AbortedError("the job has ended"));
    cancellation_.Cancel(absl::AbortedError("another reason"));
  });
  EXPECT_THAT(Call({0, 1}, false, absl::Minutes(10)), ended);
  cancel.join();
  EXPECT_THAT(Call({1}, false, absl::Minutes(10)), ended);
  EXPECT_EQ(servers_[0]->Release(1), 1u);  // A late answer does no harm.
  EXPECT_THAT(replied_, IsEmpty());
}

}  // namespace
}  // namespace seraph
