// SPDX-License-Identifier: Apache-2.0
// A one-way switch that ends a task at its next look.
#ifndef SERAPH_WORKER_TRAIN_CANCELLATION_H_
#define SERAPH_WORKER_TRAIN_CANCELLATION_H_

#include <utility>

#include "absl/status/status.h"
#include "common/mutex.h"

namespace seraph {

// Thread-safe.
class Cancellation {
 public:
  // The first reason stays.
  void Cancel(absl::Status reason) {
    MutexLock lock(&mu_);
    if (reason_.ok()) reason_ = std::move(reason);
  }
  absl::Status status() const {
    MutexLock lock(&mu_);
    return reason_;
  }

 private:
  mutable Mutex mu_;
  absl::Status reason_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_CANCELLATION_H_
