// SPDX-License-Identifier: Apache-2.0
// Ends calls that wait for servers, from another thread.
#ifndef SERAPH_CLIENT_CALL_CANCELLATION_H_
#define SERAPH_CLIENT_CALL_CANCELLATION_H_

#include <cstdint>
#include <functional>
#include <map>
#include <utility>

#include "absl/status/status.h"
#include "common/mutex.h"

namespace seraph {

// A one-way switch. Thread-safe.
class CallCancellation {
 public:
  // Wakes whoever waits. `reason` is an error; the first one stays.
  void Cancel(const absl::Status& reason) {
    MutexLock lock(&mu_);
    if (!reason_.ok()) return;
    reason_ = reason;
    for (const auto& [id, wake] : wakes_) wake();
  }
  // OK until Cancel.
  absl::Status reason() const {
    MutexLock lock(&mu_);
    return reason_;
  }

  // `wake` runs in Cancel, at once when that was before, and never after Remove.
  uint64_t Add(std::function<void()> wake) {
    MutexLock lock(&mu_);
    if (!reason_.ok()) wake();
    wakes_[++last_id_] = std::move(wake);
    return last_id_;
  }
  void Remove(uint64_t id) {
    MutexLock lock(&mu_);
    wakes_.erase(id);
  }

 private:
  mutable Mutex mu_;
  absl::Status reason_ ABSL_GUARDED_BY(mu_);
  uint64_t last_id_ ABSL_GUARDED_BY(mu_) = 0;
  std::map<uint64_t, std::function<void()>> wakes_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CALL_CANCELLATION_H_
