// SPDX-License-Identifier: Apache-2.0
// gRPC settings that both ends share.
#ifndef SERAPH_TRANSPORT_GRPC_LIMITS_H_
#define SERAPH_TRANSPORT_GRPC_LIMITS_H_

#include <grpc/grpc.h>

#include "transport/channel.h"
#include "transport/frame_codec.h"

namespace seraph {

inline constexpr int kMaxMessageBytes =
    static_cast<int>(kFramePreambleBytes + kMaxHeaderBytes + kMaxPayloadBytes);

// Without these two loopback is 3 to 30 times slower (measured on two cores with generic stubs).
// `set` takes a name and a value.
template <typename Set>
void SetThroughputArguments(const Set& set) {
  set(GRPC_ARG_HTTP2_BDP_PROBE, 0);
  set(GRPC_ARG_HTTP2_STREAM_LOOKAHEAD_BYTES, 16 << 20);
}

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_GRPC_LIMITS_H_
