// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_service.h"

#include <algorithm>
#include <set>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "scheduler/service/control_codec.h"

namespace seraph {
namespace {

absl::Status ShuttingDown() { return absl::UnavailableError("the scheduler shuts down"); }

void Send(std::vector<std::pair<Respond, absl::StatusOr<v1::ControlReply>>> answers) {
  for (auto& [respond, reply] : answers) {
    if (!reply.ok()) {
      respond(reply.status());
      continue;
    }
    Frame frame;
    *frame.header.mutable_control_reply() = *std::move(reply);
    respond(std::move(frame));
  }
}

// Whether a repeat of the request must not count twice.
bool CountsOnce(const v1::ControlRequest& request) {
  return request.has_register_node() || request.has_submit_job() || request.has_lease_shard() ||
         request.has_report_scores();
}

bool IsIdleAsk(const v1::ControlRequest& request) {
  return request.has_next_task() && request.next_task().job() == 0;
}

// The answer to a parked request whose time is up.
v1::ControlReply EmptyReply(const v1::ControlRequest& request) {
  v1::ControlReply reply;
  if (request.has_next_task()) {
    reply.mutable_next_task();
  } else {
    reply.mutable_watch_job();
  }
  return reply;
}

}  // namespace

ControlService::ControlService(const Options& options)
    : clock_(options.clock),
      most_parked_(options.most_parked),
      plane_(options.lease, options.cluster),
      auc_counter_(options.scores),
      time_keeper_([this] { KeepTime(); }) {}

ControlService::~ControlService() {
  Shutdown();
  time_keeper_.join();
}

void ControlService::Shutdown() {
  Answers answers;
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    for (ParkedRequests::Parked& parked : parked_.TakeAll()) {
      answers.emplace_back(std::move(parked.respond), ShuttingDown());
    }
    changed_.NotifyAll();
  }
  Send(std::move(answers));
}

void ControlService::Handle(Frame frame, absl::string_view peer, Respond respond) {
  if (!frame.header.has_control_request() || !frame.payload.empty()) {
    return respond(absl::InvalidArgumentError(
        absl::StrCat("the scheduler takes control requests without payload; from ", peer)));
  }
  v1::ControlRequest* request = frame.header.mutable_control_request();
  Answers answers;
  {
    MutexLock lock(&mu_);
    if (stopping_) {
      answers.emplace_back(std::move(respond), ShuttingDown());
    } else {
      // A node whose lease ran out is dead before its late request is heard.
      plane_.Expire(clock_->Now());
      if (request->has_next_task()) {
        BeginNextTask(request, std::move(respond), &answers);
      } else if (request->has_watch_job()) {
        const double timeout_s = request->watch_job().timeout_s();
        AnswerOrPark(std::move(*request), timeout_s, std::move(respond), &answers);
      } else if (request->has_report_scores()) {
        AddScores(*request, std::move(respond), &answers);
      } else {
        AnswerAtOnce(*request, std::move(respond), &answers);
      }
      Settle(&answers);
    }
  }
  Send(std::move(answers));
}

void ControlService::AnswerAtOnce(const v1::ControlRequest& request, Respond respond,
                                  Answers* answers) {
  const uint64_t id = CountsOnce(request) ? request.request_id() : 0;
  if (std::optional<Reply> first = repeats_.Begin(id); first.has_value()) {
    answers->emplace_back(std::move(respond), *std::move(first));
    return;
  }
  Reply reply = plane_.Answer(request, clock_->Now());
  repeats_.Finish(id, reply);
  answers->emplace_back(std::move(respond), std::move(reply));
}

void ControlService::AddScores(const v1::ControlRequest& request, Respond respond,
                               Answers* answers) {
  const uint64_t id = request.request_id();
  if (std::optional<Reply> first = repeats_.Begin(id); first.has_value()) {
    answers->emplace_back(std::move(respond), *std::move(first));
    return;
  }
  const v1::ReportScores& report = request.report_scores();
  absl::StatusOr<std::vector<ScoreCount>> counts = DecodeRun(report.run());
  absl::Status status = counts.status();
  if (status.ok())
    status = plane_.CheckScoring(report.node(), report.job(), report.rank(), report.task());
  if (!status.ok()) {
    repeats_.Finish(id, status);
    answers->emplace_back(std::move(respond), std::move(status));
    return;
  }
  auc_counter_.Add(report.job(), report.task(), *std::move(counts),
                   [this, id, respond = std::move(respond)](absl::Status added) mutable {
                     v1::ControlReply ok;
                     ok.mutable_report_scores();
                     Answers answer;
                     answer.emplace_back(std::move(respond), added.ok() ? Reply(ok) : Reply(added));
                     {
                       MutexLock lock(&mu_);
                       repeats_.Finish(id, answer[0].second);
                     }
                     Send(std::move(answer));
                   });
}

void ControlService::BeginNextTask(v1::ControlRequest* request, Respond respond, Answers* answers) {
  v1::NextTask* ask = request->mutable_next_task();
  if (absl::Status status = plane_.Hear(*ask, clock_->Now()); !status.ok()) {
    answers->emplace_back(std::move(respond), std::move(status));
    return;
  }
  if (ask->result_case() != v1::NextTask::RESULT_NOT_SET) {
    BringScores(*ask);
    plane_.TakeResult(*ask, clock_->Now());
    ask->clear_result();
  }
  const double timeout_s = ask->timeout_s();
  AnswerOrPark(std::move(*request), timeout_s, std::move(respond), answers);
}

// Scores that come with an evaluate result go to the counter before the result counts: it then
// has everything when it is asked to count. What is wrong with a request is TakeResult's to say.
void ControlService::BringScores(const v1::NextTask& request) {
  if (request.evaluate().run().score_size() == 0 ||
      !plane_.CheckScoring(request.node(), request.job(), request.rank(), request.task()).ok()) {
    return;
  }
  absl::StatusOr<std::vector<ScoreCount>> counts = DecodeRun(request.evaluate().run());
  if (!counts.ok()) return;
  // An error comes with the count.
  auc_counter_.Add(request.job(), request.task(), *std::move(counts), [](absl::Status) {});
}

void ControlService::AnswerOrPark(v1::ControlRequest request, double timeout_s, Respond respond,
                                  Answers* answers) {
  const uint32_t free_slots =
      IsIdleAsk(request) ? parked_.FreeSlots(request.next_task().node()) + 1 : 0;
  if (ControlPlane::MaybeReply reply = Try(request, free_slots); reply.has_value()) {
    answers->emplace_back(std::move(respond), *std::move(reply));
    return;
  }
  const double most = absl::ToDoubleSeconds(kLongestPark);
  const double wait = timeout_s > 0 ? std::min(timeout_s, most) : 0;  // NaN is none.
  if (wait > 0 && parked_.size() >= most_parked_) {
    answers->emplace_back(std::move(respond),
                          absl::ResourceExhaustedError(absl::StrCat(
                              "the scheduler holds ", parked_.size(), " waiting requests")));
    return;
  }
  parked_.Add({std::move(request), clock_->Now() + absl::Seconds(wait), std::move(respond)});
}

void ControlService::Settle(Answers* answers) {
  while (true) {
    for (const auto& [job, task] : plane_.TakeScoresWanted()) {
      const uint64_t of_job = job, of_task = task;
      auc_counter_.Count(job, task, [this, of_job, of_task](absl::StatusOr<CountedScores> scores) {
        ScoresCounted(of_job, of_task, scores);
      });
    }
    for (const uint64_t job : plane_.Settle(clock_->Now())) auc_counter_.Forget(job);
    const ControlPlane::Changes changes = plane_.TakeChanges();
    if (changes.empty()) break;
    AnswerParked(changes, answers);  // A rank that is told to finish frees a slot.
  }
  AnswerLate(clock_->Now(), answers);
  if (NextDeadline() < keeper_waits_until_) changed_.NotifyAll();
}

void ControlService::AnswerParked(const ControlPlane::Changes& changes, Answers* answers) {
  std::set<uint64_t> numbers;
  for (const uint64_t job : changes.told) parked_.CollectWatchers(job, &numbers);
  for (const uint64_t job : changes.moved) parked_.CollectRanks(job, &numbers);
  for (const uint64_t node : changes.nodes) parked_.CollectSlots(node, &numbers);
  for (const uint64_t number : numbers) {
    const v1::ControlRequest& request = parked_.at(number);
    ControlPlane::MaybeReply reply = Try(request, parked_.FreeSlots(request.next_task().node()));
    if (!reply.has_value()) continue;
    answers->emplace_back(parked_.Take(number).respond, *std::move(reply));
  }
}

ControlPlane::MaybeReply ControlService::Try(const v1::ControlRequest& request,
                                             uint32_t free_slots) {
  if (request.has_watch_job()) {
    return plane_.TryWatch(request.watch_job().job(), request.watch_job().after());
  }
  const v1::NextTask& ask = request.next_task();
  return plane_.TryNextTask(ask.node(), ask.job(), ask.rank(), free_slots);
}

void ControlService::AnswerLate(absl::Time now, Answers* answers) {
  for (ParkedRequests::Parked& parked : parked_.TakeLate(now)) {
    answers->emplace_back(std::move(parked.respond), EmptyReply(parked.request));
  }
}

absl::Time ControlService::NextDeadline() const {
  return std::min(plane_.next_expiry(), parked_.next_deadline());
}

void ControlService::ScoresCounted(uint64_t job, uint64_t task,
                                   const absl::StatusOr<CountedScores>& scores) {
  Answers answers;
  {
    MutexLock lock(&mu_);
    if (stopping_) return;
    plane_.SetScores(job, task, scores, clock_->Now());
    Settle(&answers);
  }
  Send(std::move(answers));
}

void ControlService::KeepTime() {
  while (true) {
    Answers answers;
    {
      MutexLock lock(&mu_);
      if (stopping_) return;
      keeper_waits_until_ = NextDeadline();
      if (clock_->Now() < keeper_waits_until_) {
        clock_->WaitUntil(&changed_, &mu_, keeper_waits_until_);
        continue;
      }
      keeper_waits_until_ = absl::InfinitePast();
      plane_.Expire(clock_->Now());
      Settle(&answers);
    }
    Send(std::move(answers));
  }
}

}  // namespace seraph
