// SPDX-License-Identifier: Apache-2.0
// Matchers for absl::Status and absl::StatusOr.
#ifndef SERAPH_TESTS_STATUS_MATCHERS_H_
#define SERAPH_TESTS_STATUS_MATCHERS_H_

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {

inline const absl::Status& StatusOf(const absl::Status& status) { return status; }
template <typename T>
const absl::Status& StatusOf(const absl::StatusOr<T>& result) {
  return result.status();
}

MATCHER(IsOk, "") {
  *result_listener << StatusOf(arg).ToString();
  return StatusOf(arg).ok();
}

// Code and a matcher for the message: StatusIs(absl::StatusCode::kNotFound, HasSubstr("weights")).
MATCHER_P2(StatusIs, code, message, "") {
  const absl::Status& status = StatusOf(arg);
  *result_listener << status.ToString();
  return status.code() == code &&
         ::testing::ExplainMatchResult(message, std::string(status.message()), result_listener);
}

}  // namespace seraph

#define EXPECT_OK(expr) EXPECT_THAT((expr), ::seraph::IsOk())
#define ASSERT_OK(expr) ASSERT_THAT((expr), ::seraph::IsOk())

#endif  // SERAPH_TESTS_STATUS_MATCHERS_H_
