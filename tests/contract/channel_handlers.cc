// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/channel_handlers.h"

#include <cstdio>
#include <cstdlib>

namespace seraph {

void HoldingHandler::Handle(Frame request, absl::string_view peer, Respond respond) {
  MutexLock lock(&mu_);
  held_.push_back({std::move(request), std::string(peer), std::move(respond)});
  arrived_.NotifyOne();
}

HeldRequest HoldingHandler::Take() {
  const absl::Time deadline = clock_.Now() + absl::Seconds(30);
  MutexLock lock(&mu_);
  while (held_.empty()) {
    if (!clock_.WaitUntil(&arrived_, &mu_, deadline)) {
      std::fprintf(stderr, "no request reached the handler within 30 s\n");
      std::abort();
    }
  }
  HeldRequest request = std::move(held_.front());
  held_.pop_front();
  return request;
}

bool HoldingHandler::TryTake(HeldRequest* request) {
  MutexLock lock(&mu_);
  if (held_.empty()) return false;
  *request = std::move(held_.front());
  held_.pop_front();
  return true;
}

}  // namespace seraph
