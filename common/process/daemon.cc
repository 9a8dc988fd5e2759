// SPDX-License-Identifier: Apache-2.0
#include "common/process/daemon.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "absl/strings/str_cat.h"
#include "common/host_port.h"
#include "common/status_macros.h"

namespace seraph {
std::string ReadyLine(absl::string_view program, absl::string_view name, absl::string_view address,
                      uint64_t node) {
  std::string line(program);
  if (!name.empty()) absl::StrAppend(&line, " ", name);
  absl::StrAppend(&line, " ready");
  if (!address.empty()) absl::StrAppend(&line, " at ", address);
  if (node != 0) absl::StrAppend(&line, " (node ", node, ")");
  return line + "\n";
}

absl::Status DieWithParent(int parent) {
  if (prctl(PR_SET_PDEATHSIG, SIGTERM) != 0) {
    return absl::InternalError(absl::StrCat("die with the parent process: ", strerror(errno)));
  }
  // The parent may have ended before the call, and then no signal comes.
  if (getppid() != parent) {
    return absl::UnavailableError(absl::StrCat("the parent process ", parent, " is gone"));
  }
  return absl::OkStatus();
}

absl::Status CheckMayServe(absl::string_view address, bool insecure) {
  if (insecure || address.empty()) return absl::OkStatus();
  ASSIGN_OR_RETURN(const HostPort parsed, ParseHostPort(address, /*default_port=*/0));
  if (parsed.IsLoopback()) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "address \"", address,
      "\" is not on loopback, and TLS is not there yet; --insecure serves it in the clear"));
}

}  // namespace seraph
