// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/auc_counter.h"

#include <memory>
#include <utility>

#include "common/status_macros.h"

namespace seraph {

AucCounter::AucCounter(ScoreRuns::Options options)
    : options_(std::move(options)), thread_([this] { Run(); }) {}

AucCounter::~AucCounter() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    posted_.NotifyAll();
  }
  thread_.join();
}

void AucCounter::Add(uint64_t job, uint64_t task, std::vector<ScoreCount> counts,
                     absl::AnyInvocable<void(absl::Status)> done) {
  Post([this, job, task, counts = std::move(counts), done = std::move(done)]() mutable {
    Tally& tally = TallyOf(job, task);
    tally.status.Update(AddTo(&tally, counts));
    done(tally.status);
  });
}

void AucCounter::Count(uint64_t job, uint64_t task,
                       absl::AnyInvocable<void(absl::StatusOr<CountedScores>)> done) {
  Post([this, job, task, done = std::move(done)]() mutable {
    absl::StatusOr<CountedScores> counted = CountOf(&TallyOf(job, task));
    tallies_.erase(job);
    done(std::move(counted));
  });
}

void AucCounter::Forget(uint64_t job) {
  Post([this, job] { tallies_.erase(job); });
}

void AucCounter::Post(absl::AnyInvocable<void()> work) {
  MutexLock lock(&mu_);
  work_.push_back(std::move(work));
  posted_.NotifyAll();
}

void AucCounter::Run() {
  while (true) {
    absl::AnyInvocable<void()> work;
    {
      MutexLock lock(&mu_);
      while (work_.empty() && !stopping_) posted_.Wait(&mu_);
      if (work_.empty()) return;
      work = std::move(work_.front());
      work_.pop_front();
    }
    work();
  }
}

AucCounter::Tally& AucCounter::TallyOf(uint64_t job, uint64_t task) {
  Tally& tally = tallies_[job];
  if (tally.runs == nullptr || tally.task != task) {
    tally = Tally();
    tally.task = task;
    tally.runs = std::make_unique<ScoreRuns>(options_);
  }
  return tally;
}

absl::Status AucCounter::AddTo(Tally* tally, const std::vector<ScoreCount>& counts) {
  RETURN_IF_ERROR(tally->runs->AddCounts(counts));
  for (const ScoreCount& entry : counts) tally->rows += entry.positives + entry.negatives;
  return absl::OkStatus();
}

absl::StatusOr<CountedScores> AucCounter::CountOf(Tally* tally) {
  RETURN_IF_ERROR(tally->status);
  CountedScores counted;
  counted.rows = tally->rows;
  ASSIGN_OR_RETURN(counted.auc, tally->runs->Auc());
  return counted;
}

}  // namespace seraph
