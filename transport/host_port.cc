// SPDX-License-Identifier: Apache-2.0
#include "transport/host_port.h"

#include <errno.h>
#include <netdb.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstring>
#include <memory>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"

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

std::string HostPort::ToString() const {
  return host.find(':') == std::string::npos ? absl::StrCat(host, ":", port)
                                             : absl::StrCat("[", host, "]:", port);
}

absl::StatusOr<HostPort> ParseHostPort(absl::string_view address) {
  const auto wrong = [address](absl::string_view why) {
    return absl::InvalidArgumentError(
        absl::StrCat("address \"", address, "\" is not HOST:PORT: ", why));
  };
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos) return wrong("there is no port");
  absl::string_view host = address.substr(0, colon);
  const absl::string_view port = address.substr(colon + 1);
  uint32_t number = 0;
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != port.npos ||
      !absl::SimpleAtoi(port, &number) || number > 65535) {
    return wrong(absl::StrCat("port \"", port, "\" is not a number in 0..65535"));
  }
  const bool bracketed = absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]");
  if (!bracketed && host.find(':') != host.npos) return wrong("write IPv6 as [ADDRESS]:PORT");
  if (host.empty()) return wrong("there is no host");
  if (host.find_first_of("[]/ \t\r\n") != host.npos) return wrong("that is no host name");
  return HostPort{std::string(host), static_cast<uint16_t>(number)};
}

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
