// SPDX-License-Identifier: Apache-2.0
// The order in which people count names: "worker 2" before "worker 10".
#ifndef SERAPH_SCHEDULER_NATURAL_ORDER_H_
#define SERAPH_SCHEDULER_NATURAL_ORDER_H_

#include "absl/strings/string_view.h"

namespace seraph {

// A strict weak order: runs of digits compare as numbers, everything else byte by byte; names that
// differ in leading zeros alone fall back to plain order.
bool NaturallyBefore(absl::string_view a, absl::string_view b);

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_NATURAL_ORDER_H_
