// SPDX-License-Identifier: Apache-2.0
// A handler that can be reached under a name, and the requests that it has not answered.
#ifndef SERAPH_TRANSPORT_IN_PROCESS_ENDPOINT_H_
#define SERAPH_TRANSPORT_IN_PROCESS_ENDPOINT_H_

#include <cstdint>
#include <string>

#include "absl/container/flat_hash_map.h"
#include "absl/functional/any_invocable.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "transport/callback_fence.h"
#include "transport/channel.h"

namespace seraph {

// Thread-safe. Callers may hold it longer than its listener; the handler is not touched after
// Close.
class InProcessEndpoint {
 public:
  using Fail = absl::AnyInvocable<void(absl::Status)>;

  // `handler` lives until Close returns, `clock` as long as the endpoint.
  InProcessEndpoint(std::string address, FrameHandler* handler, Clock* clock)
      : address_(std::move(address)), handler_(handler), clock_(clock) {}

  const std::string& address() const { return address_; }

  // Hands the request to the handler, on this thread. `fail` is called, instead of an answer by
  // `respond`, when the endpoint is or gets closed. `number` is unique in this endpoint.
  void Handle(uint64_t number, Frame request, Fail fail, Respond respond);

  // Request `number` is answered: forget it.
  void Answered(uint64_t number);

  // Takes no new requests, waits up to `grace` for answers, fails the rest, and returns when no
  // thread is inside the handler. Idempotent.
  void Close(absl::Duration grace);

 private:
  bool Admit(uint64_t number, Fail* fail);
  absl::Status ClosedError() const;

  const std::string address_;
  FrameHandler* const handler_;
  Clock* const clock_;
  CallbackFence handling_;
  Mutex mu_;
  CondVar answered_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<uint64_t, Fail> unanswered_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_IN_PROCESS_ENDPOINT_H_
