// SPDX-License-Identifier: Apache-2.0
// Channels over gRPC: one generic unary method carries frames as byte buffers through completion
// queues.
#ifndef SERAPH_TRANSPORT_GRPC_NETWORK_H_
#define SERAPH_TRANSPORT_GRPC_NETWORK_H_

#include <memory>

#include "transport/channel.h"

namespace seraph {

// Addresses are HOST:PORT. No TLS yet: loopback is meant.
std::unique_ptr<Network> NewGrpcNetwork();

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_NETWORK_H_
