// SPDX-License-Identifier: Apache-2.0
// The version of every binary, and of what they write.
#ifndef SERAPH_COMMON_VERSION_H_
#define SERAPH_COMMON_VERSION_H_

#include "absl/strings/string_view.h"

namespace seraph {

inline constexpr absl::string_view kVersion = "0.1.0";

}  // namespace seraph

#endif  // SERAPH_COMMON_VERSION_H_
