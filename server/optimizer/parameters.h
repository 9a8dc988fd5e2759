// SPDX-License-Identifier: Apache-2.0
// Range checks of optimizer parameters, the same words for every optimizer.
#ifndef SERAPH_SERVER_OPTIMIZER_PARAMETERS_H_
#define SERAPH_SERVER_OPTIMIZER_PARAMETERS_H_

#include <string>

#include "absl/status/status.h"

namespace seraph {

// OK when `value`, as the float that steps compute with, is finite and above zero. Else
// INVALID_ARGUMENT: "optimizer sgd: learning_rate 0 is not above 0 (and finite as a float)".
absl::Status CheckPositive(const std::string& optimizer, const char* parameter, double value);

// The same with zero allowed.
absl::Status CheckNotNegative(const std::string& optimizer, const char* parameter, double value);

// OK from 0 on and below 1, also as a float.
absl::Status CheckFraction(const std::string& optimizer, const char* parameter, double value);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_PARAMETERS_H_
