// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/score_desk.h"

#include <memory>
#include <utility>

#include "common/status_macros.h"

namespace seraph {

ScoreDesk::ScoreDesk(ScoreRuns::Options options)
    : options_(std::move(options)), thread_([this] { Run(); }) {}

ScoreDesk::~ScoreDesk() {
  {
    MutexLock lock(&mu_);
    stopping_ = true;
    posted_.NotifyAll();
  }
  thread_.join();
}

void ScoreDesk::Add(uint64_t job, uint64_t task, std::vector<ScoreCount> counts,
                    absl::AnyInvocable<void(absl::Status)> done) {
  Post([this, job, task, counts = std::move(counts), done = std::move(done)]() mutable {
    Pile& pile = PileOf(job, task);
    pile.status.Update(AddTo(&pile, counts));
    done(pile.status);
  });
}

void ScoreDesk::Count(uint64_t job, uint64_t task,
                      absl::AnyInvocable<void(absl::StatusOr<CountedScores>)> done) {
  Post([this, job, task, done = std::move(done)]() mutable {
    absl::StatusOr<CountedScores> counted = CountOf(&PileOf(job, task));
    piles_.erase(job);
    done(std::move(counted));
  });
}

void ScoreDesk::Forget(uint64_t job) {
  Post([this, job] { piles_.erase(job); });
}

void ScoreDesk::Post(absl::AnyInvocable<void()> work) {
  MutexLock lock(&mu_);
  work_.push_back(std::move(work));
  posted_.NotifyAll();
}

void ScoreDesk::Run() {
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

ScoreDesk::Pile& ScoreDesk::PileOf(uint64_t job, uint64_t task) {
  Pile& pile = piles_[job];
  if (pile.runs == nullptr || pile.task != task) {
    pile = Pile();
    pile.task = task;
    pile.runs = std::make_unique<ScoreRuns>(options_);
  }
  return pile;
}

absl::Status ScoreDesk::AddTo(Pile* pile, const std::vector<ScoreCount>& counts) {
  RETURN_IF_ERROR(pile->runs->AddCounts(counts));
  for (const ScoreCount& entry : counts) pile->rows += entry.positives + entry.negatives;
  return absl::OkStatus();
}

absl::StatusOr<CountedScores> ScoreDesk::CountOf(Pile* pile) {
  RETURN_IF_ERROR(pile->status);
  CountedScores counted;
  counted.rows = pile->rows;
  ASSIGN_OR_RETURN(counted.auc, pile->runs->Auc());
  return counted;
}

}  // namespace seraph
