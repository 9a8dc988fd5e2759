// SPDX-License-Identifier: Apache-2.0
#include "client/fan_out.h"

#include <memory>
#include <optional>
#include <utility>

#include "common/mutex.h"

namespace seraph {
namespace {

// Shared with the answers, so that a late one never meets a dead waiter.
struct Gathered {
  Mutex mu;
  CondVar all_here;
  size_t missing ABSL_GUARDED_BY(mu);
  std::vector<std::optional<absl::StatusOr<Frame>>> replies ABSL_GUARDED_BY(mu);
};

}  // namespace

absl::Status CallAll(std::vector<Outgoing> calls, absl::Duration timeout,
                     const std::function<absl::Status(size_t, Frame)>& on_reply) {
  auto gathered = std::make_shared<Gathered>();
  {
    MutexLock lock(&gathered->mu);
    gathered->missing = calls.size();
    gathered->replies.resize(calls.size());
  }
  for (size_t i = 0; i < calls.size(); ++i) {
    calls[i].channel->Call(std::move(calls[i].frame), timeout,
                           [gathered, i](absl::StatusOr<Frame> reply) {
                             MutexLock lock(&gathered->mu);
                             gathered->replies[i].emplace(std::move(reply));
                             if (--gathered->missing == 0) gathered->all_here.NotifyAll();
                           });
  }
  std::vector<std::optional<absl::StatusOr<Frame>>> replies;
  {
    MutexLock lock(&gathered->mu);
    while (gathered->missing > 0) gathered->all_here.Wait(&gathered->mu);
    replies.swap(gathered->replies);
  }
  absl::Status first;
  for (size_t i = 0; i < replies.size(); ++i) {
    absl::Status status =
        replies[i]->ok() ? on_reply(i, std::move(**replies[i])) : replies[i]->status();
    if (first.ok() && !status.ok()) first = std::move(status);
  }
  return first;
}

}  // namespace seraph
