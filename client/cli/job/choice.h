// SPDX-License-Identifier: Apache-2.0
// A value of a job that must be one of a set of names.
#ifndef SERAPH_CLIENT_CLI_JOB_CHOICE_H_
#define SERAPH_CLIENT_CLI_JOB_CHOICE_H_

#include <string>
#include <vector>

#include "absl/status/status.h"

namespace seraph {

// INVALID_ARGUMENT "KEY: unknown value "x", did you mean "y"?" when `value` is not in `valid`;
// UNIMPLEMENTED "KEY: x is not in this version" when it is in `later`.
absl::Status CheckChoice(const std::string& key, const std::string& value,
                         const std::vector<std::string>& valid,
                         const std::vector<std::string>& later);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_CHOICE_H_
