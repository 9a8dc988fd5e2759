// SPDX-License-Identifier: Apache-2.0
// Why an address cannot be served: gRPC says only that it could not.
#ifndef SERAPH_TRANSPORT_LISTEN_PROBE_H_
#define SERAPH_TRANSPORT_LISTEN_PROBE_H_

#include "absl/status/status.h"
#include "common/host_port.h"

namespace seraph {

// Whether a socket can listen there now. UNAVAILABLE with address and the system's reason: the port
// is taken, the host does not resolve or is not this machine's.
absl::Status CheckCanListen(const HostPort& address);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_LISTEN_PROBE_H_
