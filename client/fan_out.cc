// SPDX-License-Identifier: Apache-2.0
#include "client/fan_out.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/strings/str_format.h"
#include "common/backoff.h"
#include "common/hash.h"
#include "common/mutex.h"

namespace seraph {
namespace {

constexpr absl::Duration kFirstBackoff = absl::Milliseconds(10);
constexpr absl::Duration kLongestBackoff = absl::Milliseconds(500);

struct Answer {
  size_t number;
  absl::StatusOr<Frame> reply;
};

// Where answers arrive; shared with the calls, so that a late one never meets a dead waiter.
struct Inbox {
  Mutex mu;
  CondVar arrived;
  std::vector<Answer> answers ABSL_GUARDED_BY(mu);
  bool cancelled ABSL_GUARDED_BY(mu) = false;
};

// What goes to one channel.
struct Lane {
  Channel* channel;
  Backoff backoff;
  std::set<size_t> waiting;  // Numbers of frames to send.
  size_t in_flight = 0;
  bool refused = false;  // The last answer was a refusal.
  absl::Time not_before = absl::InfinitePast();

  size_t window() const { return refused ? 1 : kFramesInFlight; }
  bool MaySend() const { return !waiting.empty() && in_flight < window(); }
};

// One CallAll. Used by its caller's thread alone.
class Caller {
 public:
  Caller(absl::Span<Channel* const> channels, const FanOut& fan_out, const MakeFrame& make_frame)
      : fan_out_(fan_out),
        make_frame_(make_frame),
        deadline_(fan_out.clock->Now() + fan_out.deadline),
        replies_(channels.size()) {
    absl::flat_hash_map<Channel*, size_t> known;
    for (size_t i = 0; i < channels.size(); ++i) {
      const size_t lane = known.try_emplace(channels[i], lanes_.size()).first->second;
      if (lane == lanes_.size()) {
        lanes_.push_back({channels[i],
                          Backoff(kFirstBackoff, kLongestBackoff, Mix64(fan_out.jitter_seed, lane)),
                          {}});
      }
      lane_of_.push_back(lane);
      lanes_[lane].waiting.insert(i);
    }
    if (fan_out_.cancellation == nullptr) return;
    wake_ = fan_out_.cancellation->Add([inbox = inbox_] {
      MutexLock lock(&inbox->mu);
      inbox->cancelled = true;
      inbox->arrived.NotifyOne();
    });
  }
  ~Caller() {
    if (fan_out_.cancellation != nullptr) fan_out_.cancellation->Remove(wake_);
  }

  // An error when it was cancelled.
  absl::Status Run() {
    while (true) {
      if (cancelled()) return fan_out_.cancellation->reason();
      for (Lane& lane : lanes_) SendDue(&lane);
      if (in_flight_ == 0 && NextSend() == absl::InfiniteFuture()) return absl::OkStatus();
      for (Answer& answer : WaitForAnswers(NextSend())) Take(std::move(answer));
    }
  }

  // By number; nothing where a frame was not sent.
  std::vector<std::optional<absl::StatusOr<Frame>>> TakeReplies() { return std::move(replies_); }

 private:
  bool cancelled() const {
    MutexLock lock(&inbox_->mu);
    return inbox_->cancelled;
  }

  void SendDue(Lane* lane) {
    while (!failed_ && lane->MaySend() && fan_out_.clock->Now() >= lane->not_before) {
      const size_t number = *lane->waiting.begin();
      const absl::Duration left = deadline_ - fan_out_.clock->Now();
      if (left <= absl::ZeroDuration()) return Fail(number, NotSentInTime(*lane));
      lane->waiting.erase(lane->waiting.begin());
      ++lane->in_flight;
      ++in_flight_;
      lane->channel->Call(make_frame_(number, left), left + fan_out_.answer_slack,
                          [inbox = inbox_, number](absl::StatusOr<Frame> reply) {
                            MutexLock lock(&inbox->mu);
                            inbox->answers.push_back({number, std::move(reply)});
                            inbox->arrived.NotifyOne();
                          });
    }
  }

  // When a lane may send that may not now.
  absl::Time NextSend() const {
    absl::Time next = absl::InfiniteFuture();
    for (const Lane& lane : lanes_) {
      if (!failed_ && lane.MaySend()) next = std::min(next, lane.not_before);
    }
    return next;
  }

  std::vector<Answer> WaitForAnswers(absl::Time until) {
    MutexLock lock(&inbox_->mu);
    while (inbox_->answers.empty() && !inbox_->cancelled) {
      if (!fan_out_.clock->WaitUntil(&inbox_->arrived, &inbox_->mu, until)) break;
    }
    return std::exchange(inbox_->answers, {});
  }

  void Take(Answer answer) {
    Lane& lane = lanes_[lane_of_[answer.number]];
    --lane.in_flight;
    --in_flight_;
    if (fan_out_.repeat_refused && absl::IsResourceExhausted(answer.reply.status())) {
      return Repeat(&lane, answer.number, answer.reply.status());
    }
    if (!answer.reply.ok()) return Fail(answer.number, answer.reply.status());
    lane.refused = false;
    lane.backoff.Reset();
    replies_[answer.number].emplace(std::move(answer.reply));
  }

  void Repeat(Lane* lane, size_t number, const absl::Status& refusal) {
    const absl::Time now = fan_out_.clock->Now();
    if (lane->not_before <= now) lane->not_before = now + lane->backoff.Next();
    if (lane->not_before >= deadline_) return Fail(number, HadNoMemory(*lane, refusal));
    lane->refused = true;
    lane->waiting.insert(number);
  }

  void Fail(size_t number, absl::Status error) {
    failed_ = true;
    replies_[number].emplace(std::move(error));
  }

  absl::Status HadNoMemory(const Lane& lane, const absl::Status& refusal) const {
    return absl::DeadlineExceededError(absl::StrFormat(
        "waited %g s for server %s to have memory; its last answer: %s",
        absl::ToDoubleSeconds(fan_out_.deadline), lane.channel->address(), refusal.message()));
  }

  absl::Status NotSentInTime(const Lane& lane) const {
    return absl::DeadlineExceededError(
        absl::StrFormat("server %s has not taken all frames within %g s", lane.channel->address(),
                        absl::ToDoubleSeconds(fan_out_.deadline)));
  }

  const FanOut& fan_out_;
  const MakeFrame& make_frame_;
  const absl::Time deadline_;
  const std::shared_ptr<Inbox> inbox_ = std::make_shared<Inbox>();
  std::vector<Lane> lanes_;
  std::vector<size_t> lane_of_;  // By number.
  size_t in_flight_ = 0;
  bool failed_ = false;
  uint64_t wake_ = 0;  // Of the cancellation.
  std::vector<std::optional<absl::StatusOr<Frame>>> replies_;
};

}  // namespace

absl::Status CallAll(absl::Span<Channel* const> channels, const FanOut& fan_out,
                     const MakeFrame& make_frame,
                     const std::function<absl::Status(size_t, Frame)>& on_reply) {
  Caller caller(channels, fan_out, make_frame);
  if (absl::Status cancelled = caller.Run(); !cancelled.ok()) return cancelled;
  absl::Status first;
  std::vector<std::optional<absl::StatusOr<Frame>>> replies = caller.TakeReplies();
  for (size_t i = 0; i < replies.size(); ++i) {
    if (!replies[i].has_value()) continue;
    absl::Status status =
        replies[i]->ok() ? on_reply(i, std::move(**replies[i])) : replies[i]->status();
    if (first.ok() && !status.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace seraph
