// SPDX-License-Identifier: Apache-2.0
// absl::Status to and from grpc::Status. The handler's errors travel in frames
// (transport/reply_codec.h); these are the transport's own.
#ifndef SERAPH_TRANSPORT_GRPC_STATUS_H_
#define SERAPH_TRANSPORT_GRPC_STATUS_H_

#include <grpcpp/support/status.h>

#include <string>

#include "absl/status/status.h"
#include "absl/time/time.h"

namespace seraph {

grpc::Status ToGrpc(const absl::Status& status);

// How a call to `address` that could take `timeout` failed, in words for people, the address first:
// "127.0.0.1:7700: connection refused". REQUIRES: !status.ok().
absl::Status FromGrpc(const grpc::Status& status, const std::string& address,
                      absl::Duration timeout);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_STATUS_H_
