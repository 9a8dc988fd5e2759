// SPDX-License-Identifier: Apache-2.0
#include "transport/grpc_status.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

absl::Status From(grpc::StatusCode code, const std::string& message) {
  return FromGrpc(grpc::Status(code, message), "10.0.0.1:7700", absl::Seconds(5));
}

TEST(GrpcStatusTest, CodesAndMessagesGoBothWays) {
  for (int code = 1; code <= 16; ++code) {
    const grpc::Status status = ToGrpc(absl::Status(static_cast<absl::StatusCode>(code), "why"));
    EXPECT_EQ(static_cast<int>(status.error_code()), code);
    EXPECT_EQ(status.error_message(), "why");
  }
  EXPECT_TRUE(ToGrpc(absl::OkStatus()).ok());
  EXPECT_THAT(From(grpc::StatusCode::INVALID_ARGUMENT, "no frame"),
              StatusIs(absl::StatusCode::kInvalidArgument, "10.0.0.1:7700: no frame"));
}

TEST(GrpcStatusTest, UnreachablePeersAreDescribedForPeople) {
  EXPECT_THAT(From(grpc::StatusCode::UNAVAILABLE,
                   "failed to connect to all addresses; last error: UNKNOWN: ipv4:10.0.0.1:7700: "
                   "Failed to connect to remote host: Connection refused"),
              StatusIs(absl::StatusCode::kUnavailable, "10.0.0.1:7700: connection refused"));
  EXPECT_THAT(From(grpc::StatusCode::UNAVAILABLE, "Socket closed"),
              StatusIs(absl::StatusCode::kUnavailable, "10.0.0.1:7700: the connection was closed"));
  EXPECT_THAT(
      From(grpc::StatusCode::UNAVAILABLE, ""),
      StatusIs(absl::StatusCode::kUnavailable, "10.0.0.1:7700: the call failed without a reason"));
}

TEST(GrpcStatusTest, DeadlinesNameAddressAndTime) {
  EXPECT_THAT(From(grpc::StatusCode::DEADLINE_EXCEEDED, "Deadline Exceeded"),
              StatusIs(absl::StatusCode::kDeadlineExceeded, "10.0.0.1:7700: no answer within 5s"));
}

TEST(GrpcStatusTest, CallsThatThePeerCutOffAreUnavailable) {
  EXPECT_THAT(From(grpc::StatusCode::CANCELLED, "Cancelled"),
              StatusIs(absl::StatusCode::kUnavailable, ::testing::HasSubstr("10.0.0.1:7700")));
}

}  // namespace
}  // namespace seraph
