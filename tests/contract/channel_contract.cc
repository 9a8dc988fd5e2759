// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/channel_contract.h"

#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/hint.h"
#include "common/mutex.h"
#include "gmock/gmock.h"
#include "tests/contract/channel_handlers.h"
#include "tests/status_matchers.h"

namespace seraph {

std::unique_ptr<Listener> ChannelContract::Listen(FrameHandler* handler) {
  return network_->Listen(GetParam().any_address, handler).value();
}

std::shared_ptr<Channel> ChannelContract::Connect(const std::string& address) {
  return network_->Connect(address).value();
}

std::string ChannelContract::AddressWithoutListener() {
  EchoHandler handler;
  return Listen(&handler)->address();
}

namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

constexpr absl::Duration kLong = absl::Seconds(30);
constexpr absl::Duration kShort = absl::Milliseconds(30);

Frame MakeFrame(uint64_t number, size_t payload_bytes = 16) {
  Frame frame;
  frame.header.mutable_control_request()->mutable_heartbeat()->set_node(number);
  frame.payload = Payload::Uninitialized(payload_bytes);
  // A value for each page, which is quick for the largest payload too.
  for (size_t at = 0; at < payload_bytes; at += 4096) {
    std::memset(frame.payload.data() + at, static_cast<int>((number + at / 4096 * 31) & 0xff),
                std::min<size_t>(4096, payload_bytes - at));
  }
  return frame;
}

uint64_t NumberOf(const Frame& frame) { return frame.header.control_request().heartbeat().node(); }

void ExpectSame(const absl::StatusOr<Frame>& frame, const Frame& expected) {
  ASSERT_OK(frame);
  EXPECT_EQ(frame->header.SerializeAsString(), expected.header.SerializeAsString());
  ASSERT_EQ(frame->payload.size(), expected.payload.size());
  if (expected.payload.empty()) return;
  EXPECT_EQ(std::memcmp(frame->payload.data(), expected.payload.data(), expected.payload.size()),
            0);
}

// An answer to come. Counts, because a second one would be wrong.
class Awaited {
 public:
  Respond Callback() {
    return [state = state_](absl::StatusOr<Frame> result) {
      MutexLock lock(&state->mu);
      ++state->answers;
      state->result = std::move(result);
      state->changed.NotifyAll();
    };
  }
  int answers() const {
    MutexLock lock(&state_->mu);
    return state_->answers;
  }
  absl::StatusOr<Frame> Wait() {
    SystemClock clock;
    const absl::Time deadline = clock.Now() + kLong;
    MutexLock lock(&state_->mu);
    while (state_->answers == 0) {
      if (!clock.WaitUntil(&state_->changed, &state_->mu, deadline)) {
        return absl::AbortedError("the callback was not called");
      }
    }
    return std::move(state_->result);
  }

 private:
  struct State {
    Mutex mu;
    CondVar changed;
    int answers ABSL_GUARDED_BY(mu) = 0;
    absl::StatusOr<Frame> result ABSL_GUARDED_BY(mu) = absl::UnknownError("");
  };
  const std::shared_ptr<State> state_ = std::make_shared<State>();
};

TEST_P(ChannelContract, CarriesHeaderAndPayloadBothWays) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  EXPECT_EQ(channel->address(), listener->address());
  for (const size_t bytes : {1, 63, 64, 1000, 5000000}) {
    ExpectSame(CallAndWait(channel.get(), MakeFrame(bytes, bytes), kLong), MakeFrame(bytes, bytes));
  }
}

TEST_P(ChannelContract, CarriesFramesWithoutPayloadAndWithoutHeader) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  ExpectSame(CallAndWait(channel.get(), MakeFrame(1, 0), kLong), MakeFrame(1, 0));
  ExpectSame(CallAndWait(channel.get(), Frame(), kLong), Frame());
}

TEST_P(ChannelContract, CarriesThePayloadLimitAlignedBothWays) {
  std::atomic<bool> aligned{true};
  FunctionHandler handler([&aligned](Frame request, Respond respond) {
    aligned = reinterpret_cast<uintptr_t>(request.payload.data()) % 64 == 0;
    respond(std::move(request));
  });
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  for (const size_t bytes : {size_t{32} << 20, kMaxPayloadBytes}) {
    auto reply = CallAndWait(channel.get(), MakeFrame(7, bytes), kLong);
    ExpectSame(reply, MakeFrame(7, bytes));
    ASSERT_OK(reply);
    EXPECT_EQ(reinterpret_cast<uintptr_t>(reply->payload.data()) % 64, 0u);
  }
  EXPECT_TRUE(aligned);
}

TEST_P(ChannelContract, RequestOverTheLimitIsRefusedNamingBothSizes) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1, kMaxPayloadBytes + 1), kLong),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("67108865"), HasSubstr("67108864"))));
  ExpectSame(CallAndWait(channel.get(), MakeFrame(2), kLong), MakeFrame(2));
}

TEST_P(ChannelContract, ReplyOverTheLimitIsRefusedNamingBothSizes) {
  FunctionHandler handler(
      [](Frame, Respond respond) { respond(MakeFrame(1, kMaxPayloadBytes + 1)); });
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1), kLong),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       AllOf(HasSubstr("67108865"), HasSubstr("67108864"))));
}

TEST_P(ChannelContract, AnswersMayComeInAnyOrder) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  std::vector<Awaited> calls(5);
  for (uint64_t i = 0; i < calls.size(); ++i) {
    channel->Call(MakeFrame(i), kLong, calls[i].Callback());
  }
  std::vector<HeldRequest> held;
  for (size_t i = 0; i < calls.size(); ++i) held.push_back(handler.Take());
  for (size_t i = held.size(); i-- > 0;) held[i].respond(std::move(held[i].frame));
  for (uint64_t i = 0; i < calls.size(); ++i) ExpectSame(calls[i].Wait(), MakeFrame(i));
}

TEST_P(ChannelContract, ManyThreadsShareAChannelAndAHandler) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  std::vector<std::thread> threads;
  for (uint64_t t = 0; t < 8; ++t) {
    threads.emplace_back([&channel, t] {
      for (uint64_t i = 0; i < 100; ++i) {
        const uint64_t number = t * 1000 + i;
        ExpectSame(CallAndWait(channel.get(), MakeFrame(number, i * 10), kLong),
                   MakeFrame(number, i * 10));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_P(ChannelContract, TheHandlersErrorsArriveExactly) {
  const std::string message = absl::StrCat("waiting for worker 2\n\"\xc3\xa9\" ",
                                           std::string(20000, 'x'), std::string("\0\xff", 2));
  FunctionHandler handler([&message](Frame request, Respond respond) {
    respond(WithHint(absl::Status(static_cast<absl::StatusCode>(NumberOf(request)), message),
                     "restart worker 2"));
  });
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  for (int code = 1; code <= 16; ++code) {
    const absl::Status status =
        CallAndWait(channel.get(), MakeFrame(static_cast<uint64_t>(code)), kLong).status();
    EXPECT_EQ(status, WithHint(absl::Status(static_cast<absl::StatusCode>(code), message),
                               "restart worker 2"));
  }
}

TEST_P(ChannelContract, CallsWithoutAnswerEndAtTheirDeadlineNamingTheAddress) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1), kShort),
              StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr(listener->address())));
}

TEST_P(ChannelContract, AnswerAfterTheDeadlineIsIgnored) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  Awaited call;
  // Long enough for the request to arrive even on a machine that is busy.
  channel->Call(MakeFrame(1), absl::Milliseconds(500), call.Callback());
  HeldRequest late = handler.Take();
  EXPECT_THAT(call.Wait(), StatusIs(absl::StatusCode::kDeadlineExceeded, HasSubstr("500ms")));
  late.respond(std::move(late.frame));
  channel->Call(MakeFrame(2), kLong, Awaited().Callback());
  HeldRequest next = handler.Take();
  EXPECT_EQ(NumberOf(next.frame), 2u);
  next.respond(std::move(next.frame));
  EXPECT_EQ(call.answers(), 1);
}

TEST_P(ChannelContract, SecondAnswerIsIgnored) {
  FunctionHandler handler([](Frame request, Respond respond) {
    respond(std::move(request));
    respond(absl::InternalError("again"));
  });
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  ExpectSame(CallAndWait(channel.get(), MakeFrame(3), kLong), MakeFrame(3));
}

TEST_P(ChannelContract, RequestThatTheHandlerDropsIsAnErrorAtOnce) {
  FunctionHandler handler([](Frame, Respond) {});
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1), kLong),
              StatusIs(absl::StatusCode::kInternal, HasSubstr(listener->address())));
}

TEST_P(ChannelContract, DestroyingAChannelCancelsItsCallsBeforeItReturns) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  std::vector<Awaited> calls(3);
  std::vector<HeldRequest> held;
  for (Awaited& call : calls) {
    channel->Call(MakeFrame(1), kLong, call.Callback());
    held.push_back(handler.Take());
  }
  channel.reset();
  for (Awaited& call : calls) {
    EXPECT_EQ(call.answers(), 1);
    EXPECT_THAT(call.Wait(),
                StatusIs(absl::StatusCode::kCancelled, HasSubstr(listener->address())));
  }
  for (HeldRequest& request : held) request.respond(std::move(request.frame));
  for (Awaited& call : calls) EXPECT_EQ(call.answers(), 1);
}

TEST_P(ChannelContract, CallbackMayDestroyTheChannelAndTheNetwork) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  Awaited call;
  auto channel = Connect(listener->address());
  Channel* const raw = channel.get();
  raw->Call(MakeFrame(1), kLong,
            [channel = std::move(channel), network = std::move(network_),
             done = call.Callback()](absl::StatusOr<Frame> result) mutable {
              channel = nullptr;
              network = nullptr;
              done(std::move(result));
            });
  ExpectSame(call.Wait(), MakeFrame(1));
}

TEST_P(ChannelContract, ChannelsAndListenersOutliveTheirNetwork) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  network_ = nullptr;
  ExpectSame(CallAndWait(channel.get(), MakeFrame(1), kLong), MakeFrame(1));
}

TEST_P(ChannelContract, AddressWithoutListenerIsUnavailableAndNamed) {
  const std::string address = AddressWithoutListener();
  auto channel = Connect(address);
  for (int i = 0; i < 3; ++i) {
    EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1), kLong),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr(address)));
  }
}

TEST_P(ChannelContract, ListenerThatIsShutDownFailsHeldAndNewCallsNamingItself) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  Awaited call;
  channel->Call(MakeFrame(1), kLong, call.Callback());
  HeldRequest held = handler.Take();
  listener->Shutdown(absl::ZeroDuration());
  EXPECT_THAT(call.Wait(),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr(listener->address())));
  EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(2), kLong),
              StatusIs(absl::StatusCode::kUnavailable, HasSubstr(listener->address())));
  held.respond(std::move(held.frame));
  listener->Shutdown(kLong);  // Again: nothing to do.
  EXPECT_EQ(call.answers(), 1);
}

TEST_P(ChannelContract, HandlersMayAnswerAndDropRequestsAfterTheListenersEnd) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  std::vector<Awaited> calls(2);
  std::vector<HeldRequest> held;
  for (Awaited& call : calls) {
    channel->Call(MakeFrame(1), kLong, call.Callback());
    held.push_back(handler.Take());
  }
  listener = nullptr;
  held[0].respond(std::move(held[0].frame));
  held.clear();
  for (Awaited& call : calls) {
    EXPECT_THAT(call.Wait(), StatusIs(absl::StatusCode::kUnavailable, ::testing::_));
    EXPECT_EQ(call.answers(), 1);
  }
}

TEST_P(ChannelContract, ShutdownWaitsForAnswersAndRefusesNewCallsMeanwhile) {
  HoldingHandler handler;
  auto listener = Listen(&handler);
  auto channel = Connect(listener->address());
  Awaited call;
  channel->Call(MakeFrame(1), kLong, call.Callback());
  HeldRequest held = handler.Take();
  std::thread shutdown([&listener] { listener->Shutdown(kLong); });
  // Until the first refusal requests still arrive; they are let go unanswered.
  while (!absl::IsUnavailable(CallAndWait(channel.get(), MakeFrame(2), kShort).status())) {
    HeldRequest dropped;
    handler.TryTake(&dropped);
  }
  HeldRequest dropped;
  while (handler.TryTake(&dropped)) {
  }
  EXPECT_EQ(call.answers(), 0);
  held.respond(std::move(held.frame));
  ExpectSame(call.Wait(), MakeFrame(1));
  dropped = HeldRequest();
  shutdown.join();
}

TEST_P(ChannelContract, ChannelReachesAListenerThatComesBack) {
  EchoHandler handler;
  const std::string address = AddressWithoutListener();
  auto channel = Connect(address);
  for (int round = 0; round < 2; ++round) {
    EXPECT_THAT(CallAndWait(channel.get(), MakeFrame(1), kLong),
                StatusIs(absl::StatusCode::kUnavailable, HasSubstr(address)));
    auto listener = network_->Listen(address, &handler).value();
    SystemClock clock;
    const absl::Time back = clock.Now();
    while (!CallAndWait(channel.get(), MakeFrame(2), kLong).ok()) {
      ASSERT_LT(clock.Now() - back, absl::Seconds(10));
    }
  }
}

TEST_P(ChannelContract, AddressInUseIsRefusedNamingIt) {
  EchoHandler handler;
  auto listener = Listen(&handler);
  EXPECT_THAT(network_->Listen(listener->address(), &handler),
              StatusIs(absl::StatusCode::kUnavailable,
                       AllOf(HasSubstr(listener->address()), HasSubstr("in use"))));
  auto channel = Connect(listener->address());
  ExpectSame(CallAndWait(channel.get(), MakeFrame(1), kLong), MakeFrame(1));
}

TEST_P(ChannelContract, ListenersOfOneNetworkAreApart) {
  FunctionHandler one([](Frame, Respond respond) { respond(MakeFrame(1)); });
  FunctionHandler two([](Frame, Respond respond) { respond(MakeFrame(2)); });
  auto listener_one = Listen(&one);
  auto listener_two = Listen(&two);
  ASSERT_NE(listener_one->address(), listener_two->address());
  auto channel_one = Connect(listener_one->address());
  auto channel_two = Connect(listener_two->address());
  ExpectSame(CallAndWait(channel_one.get(), MakeFrame(0), kLong), MakeFrame(1));
  ExpectSame(CallAndWait(channel_two.get(), MakeFrame(0), kLong), MakeFrame(2));
}

TEST_P(ChannelContract, EmptyAddressIsNoAddress) {
  EXPECT_THAT(network_->Connect(""), StatusIs(absl::StatusCode::kInvalidArgument, ::testing::_));
}

}  // namespace
}  // namespace seraph
