// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/parameters.h"

#include <limits>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

constexpr double kMaxFloat = std::numeric_limits<float>::max();

absl::Status Wrong(const std::string& optimizer, const char* parameter, double value,
                   const char* limit) {
  return absl::InvalidArgumentError(absl::StrCat("optimizer ", optimizer, ": ", parameter, " ",
                                                 value, " is not ", limit,
                                                 " (and finite as a float)"));
}

}  // namespace

// The comparisons are written so that a NaN fails them.
absl::Status CheckPositive(const std::string& optimizer, const char* parameter, double value) {
  // Looked at as a float only where that is defined.
  const bool fine = value > 0 && value <= kMaxFloat && static_cast<float>(value) > 0;
  return fine ? absl::OkStatus() : Wrong(optimizer, parameter, value, "above 0");
}

absl::Status CheckNotNegative(const std::string& optimizer, const char* parameter, double value) {
  const bool fine = value >= 0 && value <= kMaxFloat;
  return fine ? absl::OkStatus() : Wrong(optimizer, parameter, value, "0 or more");
}

absl::Status CheckFraction(const std::string& optimizer, const char* parameter, double value) {
  const bool fine = value >= 0 && value < 1 && static_cast<float>(value) < 1;
  return fine ? absl::OkStatus() : Wrong(optimizer, parameter, value, "in [0, 1)");
}

}  // namespace seraph
