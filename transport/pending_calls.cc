// SPDX-License-Identifier: Apache-2.0
#include "transport/pending_calls.h"

#include <utility>

namespace seraph {

void PendingCalls::Add(uint64_t number, Respond done) {
  MutexLock lock(&mu_);
  calls_.emplace(number, std::move(done));
}

void PendingCalls::Answer(uint64_t number, absl::StatusOr<Frame> result) {
  Respond done;
  {
    MutexLock lock(&mu_);
    auto it = calls_.find(number);
    if (it == calls_.end()) return;
    done = std::move(it->second);
    calls_.erase(it);
    running_.Enter();  // Before the lock is free: Close must find it here or there.
  }
  // Callback and captures are gone before the fence opens.
  std::exchange(done, nullptr)(std::move(result));
  running_.Leave();
}

void PendingCalls::Close(const absl::Status& status) {
  absl::flat_hash_map<uint64_t, Respond> calls;
  {
    MutexLock lock(&mu_);
    calls.swap(calls_);
  }
  for (auto& [number, done] : calls) done(status);
  calls.clear();
  running_.AwaitOthers();
}

}  // namespace seraph
