// SPDX-License-Identifier: Apache-2.0
#include "common/host_port.h"

#include <arpa/inet.h>

#include "absl/strings/match.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

absl::Status Wrong(absl::string_view address, absl::string_view why) {
  return absl::InvalidArgumentError(
      absl::StrCat("address \"", address, "\" is not HOST:PORT: ", why));
}

absl::StatusOr<uint16_t> ParsePort(absl::string_view address, absl::string_view port) {
  uint32_t number = 0;
  if (port.empty() || port.size() > 5 || port.find_first_not_of("0123456789") != port.npos ||
      !absl::SimpleAtoi(port, &number) || number > 65535) {
    return Wrong(address, absl::StrCat("port \"", port, "\" is not a number in 0..65535"));
  }
  return static_cast<uint16_t>(number);
}

absl::StatusOr<std::string> ParseHost(absl::string_view address, absl::string_view host) {
  const bool bracketed = absl::ConsumePrefix(&host, "[") && absl::ConsumeSuffix(&host, "]");
  if (!bracketed && absl::StrContains(host, ':')) {
    return Wrong(address, "write IPv6 as [ADDRESS]:PORT");
  }
  if (host.empty()) return Wrong(address, "there is no host");
  if (host.find_first_of("[]/ \t\r\n") != host.npos) return Wrong(address, "that is no host name");
  return std::string(host);
}

}  // namespace

std::string HostPort::ToString() const {
  return host.find(':') == std::string::npos ? absl::StrCat(host, ":", port)
                                             : absl::StrCat("[", host, "]:", port);
}

bool HostPort::IsLoopback() const {
  in_addr v4;
  if (inet_pton(AF_INET, host.c_str(), &v4) == 1) return ntohl(v4.s_addr) >> 24 == 127;
  in6_addr v6;
  if (inet_pton(AF_INET6, host.c_str(), &v6) == 1) return IN6_IS_ADDR_LOOPBACK(&v6);
  return host == "localhost";
}

absl::StatusOr<HostPort> ParseHostPort(absl::string_view address) {
  const size_t colon = address.rfind(':');
  if (colon == absl::string_view::npos) return Wrong(address, "there is no port");
  ASSIGN_OR_RETURN(const uint16_t port, ParsePort(address, address.substr(colon + 1)));
  ASSIGN_OR_RETURN(std::string host, ParseHost(address, address.substr(0, colon)));
  return HostPort{std::move(host), port};
}

absl::StatusOr<HostPort> ParseHostPort(absl::string_view address, uint16_t default_port) {
  const bool host_alone = absl::StartsWith(address, "[") ? absl::EndsWith(address, "]")
                                                         : !absl::StrContains(address, ':');
  if (!host_alone) return ParseHostPort(address);
  ASSIGN_OR_RETURN(std::string host, ParseHost(address, address));
  return HostPort{std::move(host), default_port};
}

}  // namespace seraph
