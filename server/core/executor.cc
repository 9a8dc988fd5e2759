// SPDX-License-Identifier: Apache-2.0
#include "server/core/executor.h"

#include <utility>

namespace seraph {

Executor::Executor(int32_t number, Clock* clock, MemoryBudget* budget)
    : clock_(clock), set_(number, budget), thread_([this] { Run(); }) {}

Executor::~Executor() { Stop(absl::UnavailableError("the server has shut down")); }

bool Executor::Post(Work work) {
  MutexLock lock(&mu_);
  if (stopping_) return false;
  mailbox_.push_back(std::move(work));
  // A mailbox with mail has been announced already, and the thread takes all of it at once.
  if (mailbox_.size() == 1) wake_.NotifyOne();
  return true;
}

void Executor::Stop(const absl::Status& reason) {
  {
    MutexLock lock(&mu_);
    if (!stopping_) reason_ = reason;
    stopping_ = true;
    wake_.NotifyOne();
  }
  if (thread_.joinable()) thread_.join();
}

std::vector<Executor::Work> Executor::WaitForWork(bool* stopping) {
  const absl::Time deadline = set_.NextDeadline();
  MutexLock lock(&mu_);
  while (mailbox_.empty() && !stopping_) {
    if (!clock_->WaitUntil(&wake_, &mu_, deadline)) break;
  }
  *stopping = stopping_;
  return std::exchange(mailbox_, {});
}

void Executor::Run() {
  bool stopping = false;
  while (!stopping) {
    for (Work& work : WaitForWork(&stopping)) work(&set_);
    set_.Expire(clock_->Now());
  }
  absl::Status reason;
  {
    MutexLock lock(&mu_);
    reason = reason_;
  }
  set_.FailParked(reason);  // Without the lock: answers may lead to new requests.
}

}  // namespace seraph
