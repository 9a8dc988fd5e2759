// SPDX-License-Identifier: Apache-2.0
#include "transport/call_timer.h"

#include <map>
#include <utility>

#include "common/mutex.h"

namespace seraph {

// Shared with the thread, which outlives the timer when a callback destroys it.
struct CallTimer::State {
  explicit State(Clock* clock) : clock(clock) {}

  Clock* const clock;
  Mutex mu;
  CondVar changed;
  std::map<std::pair<absl::Time, uint64_t>, Fire> entries ABSL_GUARDED_BY(mu);
  // When the thread looks again. Calls usually end long before their deadline: the thread is only
  // woken for an entry that is due before this.
  absl::Time next_look ABSL_GUARDED_BY(mu) = absl::InfinitePast();
  bool stopping ABSL_GUARDED_BY(mu) = false;
};

CallTimer::CallTimer(Clock* clock)
    : state_(std::make_shared<State>(clock)), thread_(&CallTimer::Run, state_) {}

CallTimer::~CallTimer() {
  std::map<std::pair<absl::Time, uint64_t>, Fire> dropped;  // Destroyed without the lock.
  {
    MutexLock lock(&state_->mu);
    state_->stopping = true;
    dropped.swap(state_->entries);
    state_->changed.NotifyOne();
  }
  if (thread_.get_id() == std::this_thread::get_id()) {
    thread_.detach();  // Ends as soon as the callback that brought us here returns.
  } else {
    thread_.join();
  }
}

void CallTimer::Add(absl::Time deadline, uint64_t number, Fire fire) {
  MutexLock lock(&state_->mu);
  state_->entries.emplace(std::make_pair(deadline, number), std::move(fire));
  if (deadline < state_->next_look) state_->changed.NotifyOne();
}

void CallTimer::Remove(absl::Time deadline, uint64_t number) {
  Fire dropped;
  MutexLock lock(&state_->mu);
  auto it = state_->entries.find({deadline, number});
  if (it == state_->entries.end()) return;
  dropped = std::move(it->second);
  state_->entries.erase(it);
}

void CallTimer::Run(std::shared_ptr<State> state) {
  state->mu.Lock();
  while (!state->stopping) {
    auto first = state->entries.begin();
    if (first == state->entries.end() || first->first.first > state->clock->Now()) {
      state->next_look =
          first == state->entries.end() ? absl::InfiniteFuture() : first->first.first;
      state->clock->WaitUntil(&state->changed, &state->mu, state->next_look);
      continue;
    }
    Fire fire = std::move(first->second);
    state->entries.erase(first);
    state->mu.Unlock();
    fire();
    fire = nullptr;
    state->mu.Lock();
  }
  state->mu.Unlock();
}

}  // namespace seraph
