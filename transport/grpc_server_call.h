// SPDX-License-Identifier: Apache-2.0
// The calls that a gRPC listener serves, from the moment it waits for one until its answer has
// left.
#ifndef SERAPH_TRANSPORT_GRPC_SERVER_CALL_H_
#define SERAPH_TRANSPORT_GRPC_SERVER_CALL_H_

#include <grpcpp/completion_queue.h>
#include <grpcpp/generic/async_generic_service.h>

#include <cstddef>
#include <memory>
#include <string>

#include "absl/container/flat_hash_set.h"
#include "absl/status/status.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "transport/callback_fence.h"
#include "transport/channel.h"
#include "transport/grpc_poller.h"

namespace seraph {

class GrpcServerCall;

// All calls of one listener. Thread-safe.
class GrpcServerCalls {
 public:
  // `handler` lives until CloseAndWait returns, `service` and `clock` as long as this object.
  GrpcServerCalls(grpc::AsyncGenericService* service, FrameHandler* handler, Clock* clock);
  ~GrpcServerCalls();

  void set_address(std::string address) {
    address_ = std::move(address);
  }  // Before the first call.

  // Waits for one more call on `queue`; each that arrives takes care of its successor.
  void AwaitCall(grpc::ServerCompletionQueue* queue);

  // Refuses what arrives from now on, waits up to `grace` for the handler's answers, answers the
  // rest with UNAVAILABLE, and returns when no thread is inside the handler.
  void CloseAndWait(absl::Duration grace);

  // After the gRPC server was shut down: returns when every call's last event has happened.
  void AwaitNone();

 private:
  friend class GrpcServerCall;

  // False: closed, the request must be refused. True: the caller is inside the handler's fence.
  bool Admit();
  void LeaveHandler() { inside_handler_.Leave(); }
  void Remove(GrpcServerCall* call, bool was_admitted);  // Destroys it.
  absl::Status ClosedError() const;

  grpc::AsyncGenericService* const service_;
  FrameHandler* const handler_;
  Clock* const clock_;
  std::string address_;
  CallbackFence inside_handler_;
  Mutex mu_;
  CondVar removed_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  size_t admitted_ ABSL_GUARDED_BY(mu_) = 0;  // Of `calls_`.
  absl::flat_hash_set<std::unique_ptr<GrpcServerCall>> calls_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_SERVER_CALL_H_
