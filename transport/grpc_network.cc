// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_network.h"

#include <string>

#include "absl/strings/str_cat.h"
#include "common/host_port.h"
#include "common/status_macros.h"
#include "transport/grpc_channel.h"
#include "transport/grpc_listener.h"
#include "transport/grpc_poller.h"

namespace seraph {
namespace {

class GrpcNetwork : public Network {
 public:
  GrpcNetwork()
      : poller_(std::make_shared<GrpcPoller>(std::make_unique<grpc::CompletionQueue>())) {}

  absl::StatusOr<std::unique_ptr<Listener>> Listen(const std::string& address,
                                                   FrameHandler* handler) override {
    ASSIGN_OR_RETURN(const HostPort host_port, ParseHostPort(address));
    return GrpcListener::Start(host_port, handler);
  }

  absl::StatusOr<std::shared_ptr<Channel>> Connect(const std::string& address) override {
    ASSIGN_OR_RETURN(const HostPort host_port, ParseHostPort(address));
    if (host_port.port == 0) {
      return absl::InvalidArgumentError(
          absl::StrCat("address \"", address, "\" has port 0, where nobody can listen"));
    }
    return std::make_shared<GrpcChannel>(host_port, poller_);
  }

 private:
  const std::shared_ptr<GrpcPoller> poller_;  // Of all channels, which may outlive the network.
};

}  // namespace

std::unique_ptr<Network> NewGrpcNetwork() { return std::make_unique<GrpcNetwork>(); }

}  // namespace seraph
