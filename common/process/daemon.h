// SPDX-License-Identifier: Apache-2.0
// Small rules that all daemons share: the line that says "ready", dying with the parent, and which
// addresses may be served without TLS.
#ifndef SERAPH_COMMON_PROCESS_DAEMON_H_
#define SERAPH_COMMON_PROCESS_DAEMON_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"

namespace seraph {

// "seraph_server s0 ready at 127.0.0.1:41234 (node 3)\n". An empty name or address and node 0 are
// left out.
std::string ReadyLine(absl::string_view program, absl::string_view name, absl::string_view address,
                      uint64_t node);

// From now on the kernel sends SIGTERM to this process when its parent ends. UNAVAILABLE when the
// parent is gone already: the caller exits at once. `parent` is the parent's process id as main
// read it when it began.
absl::Status DieWithParent(int parent);

// INVALID_ARGUMENT, naming the address, when `address` ("HOST:PORT" or "HOST") is none, or is not
// on loopback and `insecure` is false. An empty address passes.
absl::Status CheckMayServe(absl::string_view address, bool insecure);

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_DAEMON_H_
