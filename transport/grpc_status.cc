// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_status.h"

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace seraph {
namespace {

// gRPC wraps the system's reason in several layers of its own.
std::string ReasonOf(const grpc::Status& status) {
  struct Known {
    absl::string_view text;
    absl::string_view reason;
  };
  static constexpr Known kKnown[] = {
      {"Connection refused", "connection refused"},
      {"Connection reset", "the connection was reset"},
      {"Broken pipe", "the connection was closed"},
      {"Socket closed", "the connection was closed"},
      {"Endpoint closing", "the connection was closed"},
      {"GOAWAY", "the connection was closed"},
      {"Domain name not found", "the host name does not resolve"},
      {"DNS resolution failed", "the host name does not resolve"},
      {"No route to host", "no route to the host"},
      {"Network is unreachable", "the network is unreachable"},
      {"FD Shutdown", "the connection timed out"},
  };
  for (const Known& known : kKnown) {
    if (absl::StrContains(status.error_message(), known.text)) return std::string(known.reason);
  }
  return status.error_message().empty() ? "the call failed without a reason"
                                        : status.error_message();
}

}  // namespace

// The codes of both libraries have the same numbers.
grpc::Status ToGrpc(const absl::Status& status) {
  return grpc::Status(static_cast<grpc::StatusCode>(status.code()), std::string(status.message()));
}

absl::Status FromGrpc(const grpc::Status& status, const std::string& address,
                      absl::Duration timeout) {
  switch (status.error_code()) {
    case grpc::StatusCode::DEADLINE_EXCEEDED:
      return absl::DeadlineExceededError(
          absl::StrCat(address, ": no answer within ", absl::FormatDuration(timeout)));
    case grpc::StatusCode::CANCELLED:
      // By the peer as it went away: what this side cancels is answered before gRPC says so.
      return absl::UnavailableError(absl::StrCat(address, ": the peer ended the call"));
    default:
      return absl::Status(static_cast<absl::StatusCode>(status.error_code()),
                          absl::StrCat(address, ": ", ReasonOf(status)));
  }
}

}  // namespace seraph
