// SPDX-License-Identifier: Apache-2.0
// A completion queue and the thread that takes events from it.
#ifndef SERAPH_TRANSPORT_GRPC_POLLER_H_
#define SERAPH_TRANSPORT_GRPC_POLLER_H_

#include <grpcpp/completion_queue.h>

#include <memory>
#include <thread>

namespace seraph {

// What the tag of an operation points to.
class GrpcEvent {
 public:
  virtual ~GrpcEvent() = default;
  // On the poller's thread. May destroy the event.
  virtual void Happened(bool ok) = 0;

  // The tag; ask for it right before the operation starts, when all that the event needs is in
  // place.
  void* AsTag();
};

// Thread-safe.
class GrpcPoller {
 public:
  // A server's queue is one too.
  explicit GrpcPoller(std::unique_ptr<grpc::CompletionQueue> queue);
  // Shuts the queue down and waits until all events have happened; on the poller's own thread,
  // which then ends by itself, it does not wait. REQUIRES: no operation starts afterwards.
  ~GrpcPoller();

  grpc::CompletionQueue* queue() const { return queue_.get(); }

 private:
  const std::shared_ptr<grpc::CompletionQueue> queue_;  // Shared with the thread.
  std::thread thread_;
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_POLLER_H_
