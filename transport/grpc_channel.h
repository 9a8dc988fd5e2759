// SPDX-License-Identifier: Apache-2.0
// The near side of a gRPC channel.
#ifndef SERAPH_TRANSPORT_GRPC_CHANNEL_H_
#define SERAPH_TRANSPORT_GRPC_CHANNEL_H_

#include <grpcpp/generic/generic_stub.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>

#include "common/host_port.h"
#include "transport/channel.h"
#include "transport/grpc_poller.h"
#include "transport/pending_calls.h"

namespace seraph {

// One connection of its own, opened with the first call and again after it was lost (at most 0.5 s
// after a failed try). Callbacks run on the poller's thread.
class GrpcChannel : public Channel {
 public:
  GrpcChannel(const HostPort& address, std::shared_ptr<GrpcPoller> poller);
  ~GrpcChannel() override;

  const std::string& address() const override { return address_; }
  void Call(Frame request, absl::Duration timeout, Respond done) override;

 private:
  const std::string address_;
  const std::shared_ptr<GrpcPoller> poller_;
  grpc::GenericStub stub_;
  const std::shared_ptr<PendingCalls> pending_;
  std::atomic<uint64_t> next_number_{1};
};

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_CHANNEL_H_
