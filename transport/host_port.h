// SPDX-License-Identifier: Apache-2.0
// Addresses of the form HOST:PORT, [::1]:PORT for IPv6.
#ifndef SERAPH_TRANSPORT_HOST_PORT_H_
#define SERAPH_TRANSPORT_HOST_PORT_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

struct HostPort {
  std::string host;  // Without brackets.
  uint16_t port = 0;

  std::string ToString() const;
};

// INVALID_ARGUMENT, the address quoted, for anything else. Does not resolve the host.
absl::StatusOr<HostPort> ParseHostPort(absl::string_view address);

// Whether a socket can listen there now. UNAVAILABLE with address and the system's reason: the port
// is taken, the host does not resolve or is not this machine's.
absl::Status CheckCanListen(const HostPort& address);

}  // namespace seraph

#endif  // SERAPH_TRANSPORT_HOST_PORT_H_
