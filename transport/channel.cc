// SPDX-License-Identifier: Apache-2.0
#include "transport/channel.h"

#include <optional>
#include <utility>

#include "common/mutex.h"

namespace seraph {
namespace {

// Shared by the waiting caller and the callback.
struct Answer {
  Mutex mu;
  CondVar arrived;
  std::optional<absl::StatusOr<Frame>> result ABSL_GUARDED_BY(mu);
};

}  // namespace

absl::StatusOr<Frame> CallAndWait(Channel* channel, Frame request, absl::Duration timeout) {
  auto answer = std::make_shared<Answer>();
  channel->Call(std::move(request), timeout, [answer](absl::StatusOr<Frame> result) {
    MutexLock lock(&answer->mu);
    answer->result.emplace(std::move(result));
    answer->arrived.NotifyOne();
  });
  // The channel owes an answer once `timeout` has passed on its own clock, so this wait is bounded.
  MutexLock lock(&answer->mu);
  while (!answer->result.has_value()) answer->arrived.Wait(&answer->mu);
  return *std::move(answer->result);
}

}  // namespace seraph
