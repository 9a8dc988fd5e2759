// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/schedule.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/str_cat.h"

namespace seraph {
namespace {

constexpr double kPi = 3.14159265358979323846;

// s past the warm-up.
double Decayed(const ScheduleSpec& spec, double u) {
  const double decay_steps = static_cast<double>(spec.decay_steps);
  switch (spec.type) {
    case ScheduleSpec::Type::kConstant:
      return 1;
    case ScheduleSpec::Type::kStep:
      return std::max(spec.min_scale, std::pow(spec.decay, std::floor(u / decay_steps)));
    case ScheduleSpec::Type::kInverseTime:
      return std::max(spec.min_scale, 1 / (1 + u / decay_steps));
    case ScheduleSpec::Type::kCosine: {
      const double done = std::min(u, decay_steps) / decay_steps;
      return spec.min_scale + (1 - spec.min_scale) * (1 + std::cos(kPi * done)) / 2;
    }
  }
  return 1;
}

absl::Status Wrong(const std::string& optimizer, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("optimizer ", optimizer, ": schedule ", what));
}

}  // namespace

float RateScale(const ScheduleSpec& spec, int64_t clock) {
  if (spec.constant()) return 1.0f;
  const uint64_t t = spec.first_step + static_cast<uint64_t>(clock);
  if (t < spec.warmup_steps) {
    return static_cast<float>((static_cast<double>(t) + 1) /
                              static_cast<double>(spec.warmup_steps));
  }
  return static_cast<float>(Decayed(spec, static_cast<double>(t - spec.warmup_steps)));
}

// The comparisons are written so that a NaN fails them.
absl::Status CheckSchedule(const std::string& optimizer, const ScheduleSpec& spec) {
  const absl::string_view type = ScheduleTypeName(spec.type);
  if (spec.type != ScheduleSpec::Type::kConstant && spec.decay_steps == 0) {
    return Wrong(optimizer, absl::StrCat(type, ": decay_steps 0 is not above 0"));
  }
  // Other types have no decay, and messages leave it out.
  const bool may_be_zero = spec.type != ScheduleSpec::Type::kStep;
  if (!((spec.decay > 0 || (may_be_zero && spec.decay == 0)) && spec.decay <= 1)) {
    return Wrong(optimizer, absl::StrCat(type, ": decay ", spec.decay, " is not in (0, 1]"));
  }
  if (!(spec.min_scale >= 0 && spec.min_scale <= 1)) {
    return Wrong(optimizer, absl::StrCat(type, ": min_scale ", spec.min_scale, " is not in 0..1"));
  }
  return absl::OkStatus();
}

}  // namespace seraph
