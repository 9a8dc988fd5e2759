// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/repeat_filter.h"

namespace seraph {

std::optional<RepeatFilter::Answer> RepeatFilter::Begin(uint64_t id) {
  if (id == 0) return std::nullopt;
  const auto [found, is_new] = answers_.try_emplace(id, std::nullopt);
  if (is_new) return std::nullopt;
  if (found->second.has_value()) return found->second;
  return Answer(absl::UnavailableError("the first try of this request is still at work"));
}

void RepeatFilter::Finish(uint64_t id, const Answer& answer) {
  if (id == 0) return;
  if (absl::IsUnavailable(answer.status())) {
    answers_.erase(id);
    return;
  }
  answers_[id] = answer;
  finished_.push_back(id);
  if (finished_.size() > kKept) {
    answers_.erase(finished_.front());
    finished_.pop_front();
  }
}

}  // namespace seraph
