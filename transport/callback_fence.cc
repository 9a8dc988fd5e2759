// SPDX-License-Identifier: Apache-2.0
#include "transport/callback_fence.h"

#include <algorithm>
#include <cstddef>

namespace seraph {

void CallbackFence::Enter() {
  MutexLock lock(&mu_);
  inside_.push_back(std::this_thread::get_id());
}

void CallbackFence::Leave() {
  MutexLock lock(&mu_);
  auto self = std::find(inside_.begin(), inside_.end(), std::this_thread::get_id());
  *self = inside_.back();
  inside_.pop_back();
  left_.NotifyAll();
}

void CallbackFence::AwaitOthers() {
  const std::thread::id self = std::this_thread::get_id();
  MutexLock lock(&mu_);
  while (static_cast<size_t>(std::count(inside_.begin(), inside_.end(), self)) != inside_.size()) {
    left_.Wait(&mu_);
  }
}

}  // namespace seraph
