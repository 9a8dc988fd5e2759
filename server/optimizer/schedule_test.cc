// SPDX-License-Identifier: Apache-2.0
#include "server/optimizer/schedule.h"

#include <cmath>
#include <limits>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;
using Type = ScheduleSpec::Type;

constexpr int64_t kLast = std::numeric_limits<int64_t>::max();

TEST(ScheduleTest, AConstantRateIsExactlyItself) {
  for (const int64_t clock : {int64_t{0}, int64_t{1}, kLast}) {
    EXPECT_EQ(RateScale(ScheduleSpec(), clock), 1.0f);
  }
}

TEST(ScheduleTest, TheWarmUpRisesLinearlyAndEndsAtTheFullRate) {
  const ScheduleSpec spec{.warmup_steps = 4};
  EXPECT_EQ(RateScale(spec, 0), 0.25f);
  EXPECT_EQ(RateScale(spec, 1), 0.5f);
  EXPECT_EQ(RateScale(spec, 3), 1.0f);
  EXPECT_EQ(RateScale(spec, 4), 1.0f);
  EXPECT_EQ(RateScale(spec, 1000), 1.0f);
}

TEST(ScheduleTest, StepMultipliesAtEachDecay) {
  const ScheduleSpec spec{.type = Type::kStep, .decay_steps = 10, .decay = 0.5, .min_scale = 0.2};
  EXPECT_EQ(RateScale(spec, 0), 1.0f);
  EXPECT_EQ(RateScale(spec, 9), 1.0f);
  EXPECT_EQ(RateScale(spec, 10), 0.5f);
  EXPECT_EQ(RateScale(spec, 20), 0.25f);
  EXPECT_EQ(RateScale(spec, 30), 0.2f);
  EXPECT_EQ(RateScale(spec, kLast), 0.2f);
}

TEST(ScheduleTest, InverseTimeHalvesAfterItsSteps) {
  const ScheduleSpec spec{.type = Type::kInverseTime, .decay_steps = 100};
  EXPECT_EQ(RateScale(spec, 0), 1.0f);
  EXPECT_EQ(RateScale(spec, 100), 0.5f);
  EXPECT_EQ(RateScale(spec, 300), 0.25f);
  EXPECT_GE(RateScale(spec, kLast), 0.0f);
}

TEST(ScheduleTest, CosineFallsToItsFloorAndStaysThere) {
  const ScheduleSpec spec{.type = Type::kCosine, .decay_steps = 200, .min_scale = 0.1};
  EXPECT_EQ(RateScale(spec, 0), 1.0f);
  EXPECT_NEAR(RateScale(spec, 50), 0.1 + 0.9 * (1 + std::sqrt(0.5)) / 2, 1e-6);
  EXPECT_NEAR(RateScale(spec, 100), 0.55, 1e-6);
  EXPECT_NEAR(RateScale(spec, 200), 0.1, 1e-6);
  EXPECT_EQ(RateScale(spec, 200), RateScale(spec, kLast));
}

TEST(ScheduleTest, DecayBeginsWhereTheWarmUpEnds) {
  const ScheduleSpec spec{.type = Type::kStep, .warmup_steps = 5, .decay_steps = 10, .decay = 0.5};
  EXPECT_EQ(RateScale(spec, 0), 0.2f);
  EXPECT_EQ(RateScale(spec, 4), 1.0f);
  EXPECT_EQ(RateScale(spec, 14), 1.0f);
  EXPECT_EQ(RateScale(spec, 15), 0.5f);
}

TEST(ScheduleTest, StepsTakenBeforeCount) {
  ScheduleSpec spec{.type = Type::kInverseTime, .warmup_steps = 3, .decay_steps = 7};
  const float later = RateScale(spec, 30);
  spec.first_step = 18;
  EXPECT_EQ(RateScale(spec, 12), later);
}

TEST(ScheduleTest, WhatIsOutOfRangeIsNamed) {
  const auto refused = [](const std::string& what) {
    return StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("optimizer sgd: " + what));
  };
  EXPECT_OK(CheckSchedule("sgd", ScheduleSpec()));
  EXPECT_OK(CheckSchedule("sgd", {.type = Type::kStep, .decay_steps = 1, .decay = 1}));
  EXPECT_THAT(CheckSchedule("sgd", {.type = Type::kCosine}),
              refused("schedule cosine: decay_steps 0"));
  EXPECT_OK(CheckSchedule("sgd", {.type = Type::kCosine, .decay_steps = 1, .decay = 0}));
  EXPECT_THAT(CheckSchedule("sgd", {.type = Type::kStep, .decay_steps = 1, .decay = 0}),
              refused("schedule step: decay 0"));
  EXPECT_THAT(CheckSchedule("sgd", {.type = Type::kStep, .decay_steps = 1, .decay = 1.5}),
              refused("schedule step: decay 1.5"));
  EXPECT_THAT(CheckSchedule("sgd", {.decay = std::nan("")}), refused("schedule constant: decay"));
  EXPECT_THAT(CheckSchedule("sgd", {.min_scale = -0.5}),
              refused("schedule constant: min_scale -0.5"));
  EXPECT_THAT(CheckSchedule("sgd", {.min_scale = 1.5}),
              refused("schedule constant: min_scale 1.5"));
}

}  // namespace
}  // namespace seraph
