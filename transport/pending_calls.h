// SPDX-License-Identifier: Apache-2.0
// The calls of one channel that have no answer yet. The first answer counts, later ones are
// ignored: whoever answers (peer, timer, shutdown) need not know of the others.
#ifndef SERAPH_TRANSPORT_PENDING_CALLS_H_
#define SERAPH_TRANSPORT_PENDING_CALLS_H_

#include <cstdint>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "common/mutex.h"
#include "transport/callback_fence.h"
#include "transport/channel.h"

namespace seraph {

// Thread-safe. No lock is held while a callback runs.
class PendingCalls {
 public:
  // `number` is the caller's, unique in this object. REQUIRES: not closed.
  void Add(uint64_t number, Respond done);

  // Runs the call's callback on this thread, unless it was answered before.
  void Answer(uint64_t number, absl::StatusOr<Frame> result);

  // Answers all that is left with `status`, and returns when no callback runs on another thread.
  void Close(const absl::Status& status);

 private:
  CallbackFence running_;
  Mutex mu_;
  absl::flat_hash_map<uint64_t, Respond> calls_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_PENDING_CALLS_H_
