// SPDX-License-Identifier: Apache-2.0
#include "transport/in_process_endpoint.h"

#include <utility>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

// What handlers are told of callers, which share their process.
constexpr char kPeer[] = "in-process";

}  // namespace

absl::Status InProcessEndpoint::ClosedError() const {
  return absl::UnavailableError(absl::StrCat(address_, ": the listener was shut down"));
}

bool InProcessEndpoint::Admit(uint64_t number, Fail* fail) {
  MutexLock lock(&mu_);
  if (closed_) return false;
  unanswered_.emplace(number, std::move(*fail));
  handling_.Enter();
  return true;
}

void InProcessEndpoint::Handle(uint64_t number, Frame request, Fail fail, Respond respond) {
  if (!Admit(number, &fail)) {
    fail(ClosedError());
    return;
  }
  handler_->Handle(std::move(request), kPeer, std::move(respond));
  handling_.Leave();
}

void InProcessEndpoint::Answered(uint64_t number) {
  Fail dropped;  // Destroyed without the lock.
  MutexLock lock(&mu_);
  auto it = unanswered_.find(number);
  if (it == unanswered_.end()) return;
  dropped = std::move(it->second);
  unanswered_.erase(it);
  if (closed_ && unanswered_.empty()) answered_.NotifyAll();
}

void InProcessEndpoint::Close(absl::Duration grace) {
  const absl::Time deadline = clock_->Now() + grace;
  absl::flat_hash_map<uint64_t, Fail> rest;
  {
    MutexLock lock(&mu_);
    closed_ = true;
    while (!unanswered_.empty() && clock_->WaitUntil(&answered_, &mu_, deadline)) {
    }
    rest.swap(unanswered_);
  }
  for (auto& [number, fail] : rest) fail(ClosedError());
  handling_.AwaitOthers();
}

}  // namespace seraph
