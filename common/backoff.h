// SPDX-License-Identifier: Apache-2.0
// How long to wait before something that was refused is tried again.
#ifndef SERAPH_COMMON_BACKOFF_H_
#define SERAPH_COMMON_BACKOFF_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "common/random.h"

namespace seraph {

// Doubling waits with jitter: between half of the present length and all of it, so that those who
// were refused together do not come back together. A plain value, not thread-safe; the same seed
// gives the same waits. Does not wait itself.
class Backoff {
 public:
  // 0 < `first` <= `longest`.
  Backoff(absl::Duration first, absl::Duration longest, uint64_t seed)
      : first_(first), longest_(longest), length_(first), jitter_(seed) {}

  absl::Duration Next() {
    const absl::Duration wait = length_ * (0.5 + jitter_.NextUnit() / 2);
    length_ = std::min(2 * length_, longest_);
    return wait;
  }
  // It has succeeded: the next wait is short again.
  void Reset() { length_ = first_; }

 private:
  absl::Duration first_;
  absl::Duration longest_;
  absl::Duration length_;
  SplitMix64 jitter_;
};

}  // namespace seraph

#endif  // SERAPH_COMMON_BACKOFF_H_
