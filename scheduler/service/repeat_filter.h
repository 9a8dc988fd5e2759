// SPDX-License-Identifier: Apache-2.0
// Remembers the answers to requests that must not count twice, so that a repeat gets the first
// answer.
#ifndef SERAPH_SCHEDULER_SERVICE_REPEAT_FILTER_H_
#define SERAPH_SCHEDULER_SERVICE_REPEAT_FILTER_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>

#include "absl/status/statusor.h"
#include "proto/control.pb.h"

namespace seraph {

// Not thread-safe. Requests without an id (0) are all new.
class RepeatFilter {
 public:
  using Answer = absl::StatusOr<v1::ControlReply>;

  static constexpr size_t kKept = 4096;  // Answers; older ones are forgotten.

  // Nothing: the request is new, and at work until Finish. A repeat of one that is still at work is
  // answered with UNAVAILABLE, so that its sender tries again.
  std::optional<Answer> Begin(uint64_t id);

  // UNAVAILABLE is not kept: a repeat is worth another try.
  void Finish(uint64_t id, const Answer& answer);

 private:
  std::map<uint64_t, std::optional<Answer>> answers_;  // Without a value: at work.
  std::deque<uint64_t> finished_;                      // In their order.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_REPEAT_FILTER_H_
