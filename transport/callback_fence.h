// SPDX-License-Identifier: Apache-2.0
// Knows which threads are inside callbacks, so that a destructor can wait until they have left.
#ifndef SERAPH_TRANSPORT_CALLBACK_FENCE_H_
#define SERAPH_TRANSPORT_CALLBACK_FENCE_H_

#include <thread>
#include <vector>

#include "common/mutex.h"

namespace seraph {

// Thread-safe. A thread may be inside several times.
class CallbackFence {
 public:
  void Enter();
  void Leave();
  // Returns when no other thread is inside. The caller may be: a callback may destroy what called
  // it. Has no deadline of its own: callbacks do not block.
  void AwaitOthers();

 private:
  Mutex mu_;
  CondVar left_;
  std::vector<std::thread::id> inside_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_CALLBACK_FENCE_H_
