// SPDX-License-Identifier: Apache-2.0
// A hint that travels with a status: what the reader of an error could do about it. Shown as its
// own line, apart from the message, and kept by Annotate.
#ifndef SERAPH_COMMON_HINT_H_
#define SERAPH_COMMON_HINT_H_

#include <string>

#include "absl/status/status.h"
#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace seraph {

inline constexpr absl::string_view kHintPayload = "seraph/hint";

// `status` with the hint; an OK status is returned as it is, a hint that is there already stays.
inline absl::Status WithHint(absl::Status status, absl::string_view hint) {
  if (!status.ok() && !hint.empty() && !status.GetPayload(kHintPayload).has_value()) {
    status.SetPayload(kHintPayload, absl::Cord(hint));
  }
  return status;
}

// Empty when there is none.
inline std::string HintOf(const absl::Status& status) {
  const absl::optional<absl::Cord> hint = status.GetPayload(kHintPayload);
  return hint.has_value() ? std::string(*hint) : std::string();
}

}  // namespace seraph

#endif  // SERAPH_COMMON_HINT_H_
