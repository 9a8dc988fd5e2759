// SPDX-License-Identifier: Apache-2.0
#include "transport/listen_probe.h"

#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

absl::Status CannotListen(const HostPort& address, absl::string_view reason) {
  return absl::UnavailableError(
      absl::StrCat("cannot listen on ", address.ToString(), ": ", reason));
}

// 0 or the error number of binding and listening.
int TryListen(const addrinfo& info) {
  const int fd = ::socket(info.ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd < 0) return errno;
  // As gRPC does: a port in TIME_WAIT is free.
  const int on = 1;
  ::setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof(on));
  const bool listens =
      ::bind(fd, info.ai_addr, info.ai_addrlen) == 0 && ::listen(fd, /*backlog=*/1) == 0;
  const int error = listens ? 0 : errno;
  ::close(fd);
  return error;
}

}  // namespace

absl::Status CheckCanListen(const HostPort& address) {
  addrinfo hints = {};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE | AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), absl::StrCat(address.port).c_str(), &hints, &found);
  if (error != 0) return CannotListen(address, ::gai_strerror(error));
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner(found, &::freeaddrinfo);
  // A name may stand for several addresses; one that this machine has is enough.
  int last_error = 0;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    last_error = TryListen(*info);
    if (last_error == 0) return absl::OkStatus();
    if (last_error == EADDRINUSE) break;
  }
  return CannotListen(address, std::strerror(last_error));
}

}  // namespace seraph
