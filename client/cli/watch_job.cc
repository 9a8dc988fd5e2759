// SPDX-License-Identifier: Apache-2.0
#include "client/cli/watch_job.h"

#include <algorithm>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/hint.h"
#include "common/process/signal_text.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

// Between two looks for signals and deaths.
constexpr absl::Duration kPark = absl::Milliseconds(200);
constexpr absl::Duration kCallTimeout = absl::Seconds(1);
// For the scheduler to end the job after a death, and after a signal.
constexpr absl::Duration kTroubleGrace = absl::Seconds(2);
constexpr absl::Duration kCancelGrace = absl::Seconds(3);
// How long a scheduler whose process runs may be silent.
constexpr absl::Duration kSilenceLimit = absl::Seconds(10);
// A failed job's cause may be a death of which this process hears a moment later.
constexpr absl::Duration kCauseGrace = absl::Milliseconds(300);

class JobWatch {
 public:
  JobWatch(const WatchOptions& options, uint64_t job)
      : options_(options), job_(job), heard_(options.clock->Now()) {}

  JobEnd Run() {
    std::optional<JobEnd> end;
    while (!end.has_value()) {
      LookForSignal();
      LookForTrouble();
      end = Ask();
      if (!end.has_value() && options_.clock->Now() >= give_up_) {
        end = signal_ != 0 ? Interrupted({}) : JobEnd{trouble_, 0, {}};
      }
    }
    return *std::move(end);
  }

 private:
  void LookForSignal() {
    const std::optional<int> signal = options_.interrupted();
    if (!signal.has_value() || signal_ != 0) return;
    signal_ = *signal;
    GiveUpAfter(kCancelGrace);
    // The scheduler may be gone; the wait below ends all the same.
    (void)options_.agent->CancelJob(job_, SignalText(signal_), kCallTimeout);
  }

  void LookForTrouble() {
    if (!trouble_.ok()) return;
    trouble_ = options_.cluster->Health();
    if (!trouble_.ok()) GiveUpAfter(kTroubleGrace);
  }

  std::optional<JobEnd> Ask() {
    v1::WatchJob request;
    request.set_job(job_);
    request.set_after(seen_);
    request.set_timeout_s(absl::ToDoubleSeconds(kPark));
    const absl::StatusOr<v1::WatchJobReply> reply = options_.agent->WatchJob(request, kCallTimeout);
    if (!reply.ok()) return Unanswered(reply.status());
    heard_ = options_.clock->Now();
    for (const v1::JobEvent& event : reply->events()) {
      if (event.number() <= seen_) continue;
      seen_ = event.number();
      if (event.has_done()) return Ended(event.done());
      Report(event);
    }
    return std::nullopt;
  }

  std::optional<JobEnd> Unanswered(const absl::Status& status) {
    LookForTrouble();
    if (!trouble_.ok()) return JobEnd{trouble_, 0, {}};
    const bool silent = absl::IsUnavailable(status) || absl::IsDeadlineExceeded(status);
    if (silent && options_.clock->Now() - heard_ < kSilenceLimit) return std::nullopt;
    if (!silent) return JobEnd{Annotate(status, "watch the job"), 0, {}};
    return JobEnd{
        absl::DeadlineExceededError(absl::StrCat("the scheduler at ", options_.cluster->scheduler(),
                                                 " runs, but has not "
                                                 "answered for ",
                                                 absl::FormatDuration(kSilenceLimit))),
        0,
        {}};
  }

  void Report(const v1::JobEvent& event) {
    if (event.has_started()) options_.reporter->Started(event.started());
    if (event.has_progress()) options_.reporter->Progress(event.progress());
    if (event.has_epoch()) options_.reporter->EpochDone(event.epoch());
  }

  JobEnd Ended(const v1::JobDone& done) {
    if (done.status() == v1::JobDone::SUCCEEDED) return JobEnd{absl::OkStatus(), 0, done};
    if (signal_ != 0) return Interrupted(done);
    if (trouble_.ok() && MayStemFromADeath(done)) {
      trouble_ = options_.cluster->AwaitTrouble(options_.clock->Now() + kCauseGrace);
    }
    if (!trouble_.ok()) return JobEnd{trouble_, 0, done};
    absl::StatusCode code = static_cast<absl::StatusCode>(done.code());
    if (code == absl::StatusCode::kOk) code = absl::StatusCode::kInternal;
    return JobEnd{WithHint(absl::Status(code, done.error()), done.hint()), 0, done};
  }

  static bool MayStemFromADeath(const v1::JobDone& done) {
    switch (static_cast<absl::StatusCode>(done.code())) {
      case absl::StatusCode::kUnavailable:
      case absl::StatusCode::kAborted:
      case absl::StatusCode::kCancelled:
      case absl::StatusCode::kDeadlineExceeded:
      case absl::StatusCode::kUnknown:
      case absl::StatusCode::kInternal:
        return true;
      default:
        return false;
    }
  }

  JobEnd Interrupted(const v1::JobDone& done) const {
    return JobEnd{absl::CancelledError(SignalText(signal_)), signal_, done};
  }

  void GiveUpAfter(absl::Duration grace) {
    give_up_ = std::min(give_up_, options_.clock->Now() + grace);
  }

  const WatchOptions& options_;
  const uint64_t job_;
  uint64_t seen_ = 0;
  int signal_ = 0;
  absl::Status trouble_;
  absl::Time heard_;
  absl::Time give_up_ = absl::InfiniteFuture();
};

}  // namespace

JobEnd WatchJobToEnd(const WatchOptions& options, uint64_t job) {
  return JobWatch(options, job).Run();
}

}  // namespace seraph
