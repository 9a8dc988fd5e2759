// SPDX-License-Identifier: Apache-2.0
// One answer from many parts.
#ifndef SERAPH_SERVER_CORE_JOIN_H_
#define SERAPH_SERVER_CORE_JOIN_H_

#include <atomic>
#include <cstddef>
#include <utility>

#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "common/mutex.h"

namespace seraph {

// Calls `done` once, when the last of `parts` has finished, on that part's thread, with the first
// error that came. Thread-safe. What a part wrote before Finish is seen by `done`.
class Join {
 public:
  // `parts` >= 1.
  Join(size_t parts, absl::AnyInvocable<void(absl::Status)> done)
      : left_(parts), done_(std::move(done)) {}

  void Finish(const absl::Status& part) {
    if (!part.ok()) {
      MutexLock lock(&mu_);
      if (first_error_.ok()) first_error_ = part;
      failed_.store(true, std::memory_order_relaxed);
    }
    if (left_.fetch_sub(1, std::memory_order_acq_rel) != 1) return;
    done_(TakeError());
  }

  // Some part has failed: the others need not be done.
  bool failed() const { return failed_.load(std::memory_order_relaxed); }

 private:
  absl::Status TakeError() {
    MutexLock lock(&mu_);
    return std::move(first_error_);
  }

  std::atomic<size_t> left_;
  std::atomic<bool> failed_{false};
  absl::AnyInvocable<void(absl::Status)> done_;
  Mutex mu_;
  absl::Status first_error_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_JOIN_H_
