// SPDX-License-Identifier: Apache-2.0
// The far side of gRPC channels: a server on a port.
#ifndef SERAPH_TRANSPORT_GRPC_LISTENER_H_
#define SERAPH_TRANSPORT_GRPC_LISTENER_H_

#include <grpcpp/generic/async_generic_service.h>
#include <grpcpp/server.h>

#include <memory>
#include <string>
#include <vector>

#include "common/clock.h"
#include "common/host_port.h"
#include "common/mutex.h"
#include "transport/channel.h"
#include "transport/grpc_poller.h"
#include "transport/grpc_server_call.h"

namespace seraph {

// Handlers run on the threads of its completion queues. Neither Shutdown nor the destructor may be
// called there.
class GrpcListener : public Listener {
 public:
  // Errors as Network::Listen. `handler` outlives the listener.
  static absl::StatusOr<std::unique_ptr<GrpcListener>> Start(const HostPort& address,
                                                             FrameHandler* handler);
  ~GrpcListener() override;

  const std::string& address() const override { return address_; }
  void Shutdown(absl::Duration grace) override;

 private:
  explicit GrpcListener(FrameHandler* handler) : calls_(&service_, handler, &clock_) {}
  absl::Status Bind(HostPort address);

  SystemClock clock_;
  std::string address_;
  grpc::AsyncGenericService service_;
  GrpcServerCalls calls_;
  // The server's queues, each with its thread.
  std::vector<std::unique_ptr<GrpcPoller>> pollers_;
  std::unique_ptr<grpc::Server> server_;
  Mutex mu_;
  bool shut_down_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_LISTENER_H_
