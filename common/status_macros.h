// SPDX-License-Identifier: Apache-2.0
// Early return on errors, and the one way to add context to them.
#ifndef SERAPH_COMMON_STATUS_MACROS_H_
#define SERAPH_COMMON_STATUS_MACROS_H_

#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/cord.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/string_view.h"

namespace seraph {

// `status` with "CONTEXT: " before its message, same code and payloads; an OK status is returned as
// it is. Context names action, object and value: "load table weights from out/m".
inline absl::Status Annotate(const absl::Status& status, absl::string_view context) {
  if (status.ok()) return status;
  absl::Status annotated(status.code(), absl::StrCat(context, ": ", status.message()));
  status.ForEachPayload([&annotated](absl::string_view url, const absl::Cord& payload) {
    annotated.SetPayload(url, payload);
  });
  return annotated;
}

}  // namespace seraph

#define SERAPH_CONCAT_INNER(a, b) a##b
#define SERAPH_CONCAT(a, b) SERAPH_CONCAT_INNER(a, b)

#define RETURN_IF_ERROR(expr)                           \
  do {                                                  \
    if (absl::Status status_ = (expr); !status_.ok()) { \
      return status_;                                   \
    }                                                   \
  } while (false)

#define ASSIGN_OR_RETURN(lhs, expr) \
  ASSIGN_OR_RETURN_IMPL(SERAPH_CONCAT(status_or_, __LINE__), lhs, expr)
#define ASSIGN_OR_RETURN_IMPL(tmp, lhs, expr) \
  auto tmp = (expr);                          \
  if (!tmp.ok()) return tmp.status();         \
  lhs = std::move(tmp).value()

#endif  // SERAPH_COMMON_STATUS_MACROS_H_
