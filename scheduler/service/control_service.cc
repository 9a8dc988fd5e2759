// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_service.h"

#include <algorithm>

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
      desk_(options.scores),
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
    for (Parked& parked : parked_) answers.emplace_back(std::move(parked.respond), ShuttingDown());
    parked_.clear();
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
        Park(std::move(*request), timeout_s, std::move(respond), &answers);
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
  desk_.Add(report.job(), report.task(), *std::move(counts),
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
  Park(std::move(*request), timeout_s, std::move(respond), answers);
}

// Scores that come with an evaluate result go to the desk before the result counts: the desk then
// has everything when it is asked to count. What is wrong with a request is TakeResult's to say.
void ControlService::BringScores(const v1::NextTask& request) {
  if (request.evaluate().run().score_size() == 0 ||
      !plane_.CheckScoring(request.node(), request.job(), request.rank(), request.task()).ok()) {
    return;
  }
  absl::StatusOr<std::vector<ScoreCount>> counts = DecodeRun(request.evaluate().run());
  if (!counts.ok()) return;
  // An error comes with the count.
  desk_.Add(request.job(), request.task(), *std::move(counts), [](absl::Status) {});
}

void ControlService::Park(v1::ControlRequest request, double timeout_s, Respond respond,
                          Answers* answers) {
  if (parked_.size() >= most_parked_) {
    answers->emplace_back(std::move(respond),
                          absl::ResourceExhaustedError(absl::StrCat(
                              "the scheduler holds ", parked_.size(), " waiting requests")));
    return;
  }
  const double most = absl::ToDoubleSeconds(kLongestPark);
  const double wait = timeout_s > 0 ? std::min(timeout_s, most) : 0;  // NaN is none.
  parked_.push_back({std::move(request), clock_->Now() + absl::Seconds(wait), std::move(respond)});
}

void ControlService::Settle(Answers* answers) {
  do {
    for (const auto& [job, task] : plane_.TakeScoresWanted()) {
      const uint64_t of_job = job, of_task = task;
      desk_.Count(job, task, [this, of_job, of_task](absl::StatusOr<CountedScores> scores) {
        ScoresCounted(of_job, of_task, scores);
      });
    }
    for (const uint64_t job : plane_.Settle(clock_->Now())) desk_.Forget(job);
  } while (AnswerParked(answers));  // A rank that is told to finish frees a slot.
  AnswerLate(clock_->Now(), answers);
  if (NextDeadline() < keeper_waits_until_) changed_.NotifyAll();
}

bool ControlService::AnswerParked(Answers* answers) {
  const size_t before = answers->size();
  for (auto it = parked_.begin(); it != parked_.end();) {
    ControlPlane::MaybeReply reply = TryParked(*it);
    if (!reply.has_value()) {
      ++it;
      continue;
    }
    answers->emplace_back(std::move(it->respond), *std::move(reply));
    it = parked_.erase(it);
  }
  return answers->size() > before;
}

ControlPlane::MaybeReply ControlService::TryParked(const Parked& parked) {
  if (parked.request.has_watch_job()) {
    const v1::WatchJob& watch = parked.request.watch_job();
    return plane_.TryWatch(watch.job(), watch.after());
  }
  const v1::NextTask& ask = parked.request.next_task();
  uint32_t idle_asks = 0;
  if (ask.job() == 0) {
    for (const Parked& other : parked_) {
      idle_asks +=
          IsIdleAsk(other.request) && other.request.next_task().node() == ask.node() ? 1 : 0;
    }
  }
  return plane_.TryNextTask(ask.node(), ask.job(), ask.rank(), idle_asks);
}

void ControlService::AnswerLate(absl::Time now, Answers* answers) {
  for (auto it = parked_.begin(); it != parked_.end();) {
    if (it->deadline > now) {
      ++it;
      continue;
    }
    answers->emplace_back(std::move(it->respond), EmptyReply(it->request));
    it = parked_.erase(it);
  }
}

absl::Time ControlService::NextDeadline() const {
  absl::Time next = plane_.next_expiry();
  for (const Parked& parked : parked_) next = std::min(next, parked.deadline);
  return next;
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
