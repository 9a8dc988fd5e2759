// SPDX-License-Identifier: Apache-2.0
// Addresses of the form HOST:PORT, [::1]:PORT for IPv6.
#ifndef SERAPH_COMMON_HOST_PORT_H_
#define SERAPH_COMMON_HOST_PORT_H_

#include <cstdint>
#include <string>

#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

struct HostPort {
  std::string host;  // Without brackets.
  uint16_t port = 0;

  std::string ToString() const;
  // 127.0.0.0/8, ::1 or "localhost". Other names are not: this does not resolve them.
  bool IsLoopback() const;
};

// INVALID_ARGUMENT, the address quoted, for anything else. Does not resolve the host.
absl::StatusOr<HostPort> ParseHostPort(absl::string_view address);

// Also takes a host alone ("node-1", "[::1]"), which gets `default_port`.
absl::StatusOr<HostPort> ParseHostPort(absl::string_view address, uint16_t default_port);

}  // namespace seraph

#endif  // SERAPH_COMMON_HOST_PORT_H_
