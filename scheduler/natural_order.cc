// SPDX-License-Identifier: Apache-2.0
#include "scheduler/natural_order.h"

#include "absl/strings/ascii.h"

namespace seraph {
namespace {

// Takes a run of digits off the front of `*text` and returns it without leading zeros.
absl::string_view TakeNumber(absl::string_view* text) {
  size_t end = 0;
  while (end < text->size() && absl::ascii_isdigit((*text)[end])) ++end;
  absl::string_view digits = text->substr(0, end);
  text->remove_prefix(end);
  while (digits.size() > 1 && digits.front() == '0') digits.remove_prefix(1);
  return digits;
}

}  // namespace

bool NaturallyBefore(absl::string_view a, absl::string_view b) {
  absl::string_view left = a, right = b;
  while (!left.empty() && !right.empty()) {
    if (absl::ascii_isdigit(left.front()) && absl::ascii_isdigit(right.front())) {
      const absl::string_view m = TakeNumber(&left), n = TakeNumber(&right);
      if (m.size() != n.size()) return m.size() < n.size();
      if (m != n) return m < n;
    } else {
      if (left.front() != right.front()) {
        return static_cast<unsigned char>(left.front()) < static_cast<unsigned char>(right.front());
      }
      left.remove_prefix(1);
      right.remove_prefix(1);
    }
  }
  if (left.empty() != right.empty()) return left.empty();
  return a < b;
}

}  // namespace seraph
