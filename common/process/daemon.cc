// SPDX-License-Identifier: Apache-2.0
#include "common/process/daemon.h"

#include <sys/prctl.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

// Without the port; brackets of an IPv6 address go too.
absl::string_view HostOf(absl::string_view address) {
  if (absl::StartsWith(address, "[")) return address.substr(1, address.find(']') - 1);
  const size_t colon = address.rfind(':');
  // Several colons without brackets: a bare IPv6 address.
  if (colon == absl::string_view::npos || address.find(':') != colon) return address;
  return address.substr(0, colon);
}

}  // namespace

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
  const absl::string_view host = HostOf(address);
  const bool loopback =
      host.empty() || host == "localhost" || host == "::1" || absl::StartsWith(host, "127.");
  if (insecure || address.empty() || (loopback && !host.empty())) return absl::OkStatus();
  return absl::InvalidArgumentError(absl::StrCat(
      "address \"", address,
      "\" is not on loopback, and TLS is not there yet; --insecure serves it in the clear"));
}

}  // namespace seraph
