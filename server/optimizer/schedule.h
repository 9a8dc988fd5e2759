// SPDX-License-Identifier: Apache-2.0
// Learning-rate schedules: the rate of step t is learning_rate * s(t), where t counts steps from 0.
// With W = warmup_steps, D = decay_steps, m = min_scale and u = t - W:
//
//   warm-up, t < W   s(t) = (t + 1) / W
//   constant         s(t) = 1
//   step             s(t) = max(m, decay^floor(u / D))
//   inverse_time     s(t) = max(m, 1 / (1 + u / D))
//   cosine           s(t) = m + (1 - m) (1 + cos(pi min(u, D) / D)) / 2
//
// Cosine: Loshchilov and Hutter, "SGDR: Stochastic Gradient Descent with Warm Restarts", 2017,
// without restarts. Warm-up: Goyal et al., "Accurate, Large Minibatch SGD", 2017.
#ifndef SERAPH_SERVER_OPTIMIZER_SCHEDULE_H_
#define SERAPH_SERVER_OPTIMIZER_SCHEDULE_H_

#include <cstdint>
#include <string>

#include "absl/status/status.h"
#include "common/table_spec.h"

namespace seraph {

// s(first_step + clock), from 0 to 1; exactly 1 where the schedule is constant. A pure function, so
// that a step has the same rate in every partition and on every server. REQUIRES: CheckSchedule.
float RateScale(const ScheduleSpec& spec, int64_t clock);

// INVALID_ARGUMENT, in the words of parameters.h, for a parameter out of its range.
absl::Status CheckSchedule(const std::string& optimizer, const ScheduleSpec& spec);

}  // namespace seraph

#endif  // SERAPH_SERVER_OPTIMIZER_SCHEDULE_H_
