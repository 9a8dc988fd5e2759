// SPDX-License-Identifier: Apache-2.0
#include "tests/contract/optimizer_contract.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "common/random.h"
#include "tests/status_matchers.h"

namespace seraph {

GTEST_ALLOW_UNINSTANTIATED_PARAMETERIZED_TEST(OptimizerContractTest);

namespace {

using ::testing::Contains;
using ::testing::HasSubstr;

// Nearly normal, mean 0, deviation 1; one in eight is exactly zero.
float RandomGradient(SplitMix64* random) {
  if (random->NextBelow(8) == 0) return 0.0f;
  double sum = 0;
  for (int i = 0; i < 12; ++i) sum += random->NextUnit();
  return static_cast<float>(sum - 6);
}

std::vector<float> RandomGradients(SplitMix64* random, size_t count) {
  std::vector<float> gradients(count);
  for (float& gradient : gradients) gradient = RandomGradient(random);
  return gradients;
}

std::vector<float*> Pointers(std::vector<float>* rows, size_t width) {
  std::vector<float*> pointers;
  for (size_t at = 0; at < rows->size(); at += width) pointers.push_back(rows->data() + at);
  return pointers;
}

// Bits, so that -0.0 and 0.0 differ and NaN equals itself.
bool SameBits(const std::vector<float>& a, const std::vector<float>& b) {
  return a.size() == b.size() && std::memcmp(a.data(), b.data(), a.size() * sizeof(float)) == 0;
}

}  // namespace

std::unique_ptr<Optimizer> OptimizerContractTest::Create() {
  auto optimizer = NewOptimizer(GetParam().spec);
  EXPECT_OK(optimizer);
  return std::move(optimizer).value();
}

std::vector<float> OptimizerContractTest::FreshRows(const Optimizer& optimizer, uint32_t dim,
                                                    size_t count, uint64_t seed) {
  SplitMix64 random(seed);
  const size_t width = dim + optimizer.StateWidth(dim);
  std::vector<float> rows(count * width);
  for (float* row : Pointers(&rows, width)) {
    for (uint32_t d = 0; d < dim; ++d) row[d] = static_cast<float>(random.NextUnit() - 0.5);
    optimizer.InitState(absl::MakeConstSpan(row, dim), absl::MakeSpan(row + dim, width - dim));
  }
  return rows;
}

namespace {

// Steps of `dim` weights beside the oracle, each with the rate that `rate_scale(step)` gives.
template <typename RateScale>
void FollowOracle(const OptimizerContract& contract, const Optimizer& optimizer,
                  std::vector<float> rows, uint32_t dim, const RateScale& rate_scale) {
  const std::unique_ptr<RowOracle> oracle =
      contract.oracle(contract.spec, {rows.begin(), rows.begin() + dim});
  SplitMix64 random(77 + dim);
  float* const row = rows.data();
  for (int step = 0; step < 1000; ++step) {
    const std::vector<float> gradients = RandomGradients(&random, dim);
    const float scale = rate_scale(step);
    optimizer.Apply(dim, absl::MakeConstSpan(&row, 1), gradients, scale);
    const std::vector<double> expected = oracle->Step(gradients, scale);
    for (uint32_t d = 0; d < dim; ++d) {
      ASSERT_NEAR(rows[d], expected[d], 2e-5 * std::max(1.0, std::abs(expected[d])))
          << "step " << step << ", weight " << d << " of " << dim;
    }
  }
}

TEST_P(OptimizerContractTest, ThousandRandomStepsFollowADoublePrecisionOracle) {
  const auto optimizer = Create();
  for (const uint32_t dim : {1u, 3u, 16u}) {
    FollowOracle(GetParam(), *optimizer, FreshRows(*optimizer, dim, 1, dim), dim,
                 [](int) { return 1.0f; });
  }
}

TEST_P(OptimizerContractTest, ScaledRatesFollowADoublePrecisionOracle) {
  if (!GetParam().takes_schedules) return;
  const auto optimizer = Create();
  for (const uint32_t dim : {1u, 3u}) {
    FollowOracle(GetParam(), *optimizer, FreshRows(*optimizer, dim, 1, dim), dim, [](int step) {
      return step % 50 == 0 ? 0.0f : 1.0f / static_cast<float>(1 + step);
    });
  }
}

TEST_P(OptimizerContractTest, SchedulesAreTakenOrRefusedByName) {
  OptimizerSpec spec = GetParam().spec;
  spec.schedule = {.type = ScheduleSpec::Type::kCosine, .decay_steps = 10};
  const absl::Status taken = NewOptimizer(spec).status();
  if (GetParam().takes_schedules) {
    EXPECT_OK(taken);
  } else {
    EXPECT_THAT(taken, StatusIs(absl::StatusCode::kInvalidArgument,
                                HasSubstr("optimizer " + spec.type + ": schedule")));
  }
  spec.schedule.decay_steps = 0;
  EXPECT_THAT(NewOptimizer(spec).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("decay_steps 0")));
}

TEST_P(OptimizerContractTest, StepSaveLoadStepEqualsStepStep) {
  constexpr uint32_t kDim = 5;
  constexpr size_t kRows = 7;
  SplitMix64 random(5);
  const auto first = RandomGradients(&random, kDim * kRows);
  const auto second = RandomGradients(&random, kDim * kRows);

  const auto through = Create();
  const size_t width = kDim + through->StateWidth(kDim);
  std::vector<float> kept = FreshRows(*through, kDim, kRows, 3);
  through->Apply(kDim, Pointers(&kept, width), first, 1.0f);
  std::vector<float> loaded = kept;  // What a file would hold: the floats of the rows alone.
  through->Apply(kDim, Pointers(&kept, width), second, 1.0f);

  Create()->Apply(kDim, Pointers(&loaded, width), second, 1.0f);
  EXPECT_TRUE(SameBits(loaded, kept));
}

TEST_P(OptimizerContractTest, RowsThatAreNotTouchedKeepTheirBits) {
  constexpr uint32_t kDim = 4;
  const auto optimizer = Create();
  const size_t width = kDim + optimizer->StateWidth(kDim);
  std::vector<float> rows = FreshRows(*optimizer, kDim, 9, 11);
  const std::vector<float> before = rows;
  SplitMix64 random(6);
  float* const touched = rows.data() + 4 * width;
  for (int step = 0; step < 50; ++step) {
    optimizer->Apply(kDim, absl::MakeConstSpan(&touched, 1), RandomGradients(&random, kDim), 1.0f);
  }
  for (size_t row = 0; row < 9; ++row) {
    const bool same = std::memcmp(&rows[row * width], &before[row * width], width * 4) == 0;
    EXPECT_EQ(same, row != 4) << "row " << row;
  }
}

TEST_P(OptimizerContractTest, SplittingABatchOverCallsChangesNoBit) {
  constexpr uint32_t kDim = 3;
  constexpr size_t kRows = 64;
  const auto optimizer = Create();
  const size_t width = kDim + optimizer->StateWidth(kDim);
  std::vector<float> whole = FreshRows(*optimizer, kDim, kRows, 21);
  std::vector<float> split = whole;
  const auto whole_rows = Pointers(&whole, width);
  const auto split_rows = Pointers(&split, width);
  SplitMix64 random(22);
  for (int step = 0; step < 20; ++step) {
    const auto gradients = RandomGradients(&random, kDim * kRows);
    optimizer->Apply(kDim, whole_rows, gradients, 1.0f);
    for (size_t from = 0; from < kRows;) {
      const size_t count = std::min<size_t>(1 + random.NextBelow(9), kRows - from);
      optimizer->Apply(kDim, absl::MakeConstSpan(split_rows).subspan(from, count),
                       absl::MakeConstSpan(gradients).subspan(from * kDim, count * kDim), 1.0f);
      from += count;
    }
  }
  EXPECT_TRUE(SameBits(split, whole));
}

TEST_P(OptimizerContractTest, OrderOfRowsInABatchChangesNoBit) {
  constexpr size_t kRows = 16;
  const auto optimizer = Create();
  const size_t width = 1 + optimizer->StateWidth(1);
  std::vector<float> forward = FreshRows(*optimizer, 1, kRows, 31);
  std::vector<float> backward = forward;
  auto forward_rows = Pointers(&forward, width);
  auto backward_rows = Pointers(&backward, width);
  std::reverse(backward_rows.begin(), backward_rows.end());
  SplitMix64 random(32);
  auto gradients = RandomGradients(&random, kRows);
  optimizer->Apply(1, forward_rows, gradients, 1.0f);
  std::reverse(gradients.begin(), gradients.end());
  optimizer->Apply(1, backward_rows, gradients, 1.0f);
  EXPECT_TRUE(SameBits(backward, forward));
}

TEST_P(OptimizerContractTest, EmptyBatchIsFine) {
  Create()->Apply(8, {}, {}, 1.0f);  // Nothing to see: it must not read or write anything.
}

TEST_P(OptimizerContractTest, HugeAndTinyFiniteGradientsGiveNoNan) {
  const auto optimizer = Create();
  const size_t width = 1 + optimizer->StateWidth(1);
  for (const float extreme : {3e38f, 1e20f, 1e-20f, 1e-38f, 1e-45f, 0.0f}) {
    std::vector<float> rows = FreshRows(*optimizer, 1, 1, 41);
    float* const row = rows.data();
    for (const float sign : {1.0f, -1.0f, 1.0f, -1.0f}) {
      const float gradient = sign * extreme;
      optimizer->Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&gradient, 1), 1.0f);
      for (size_t i = 0; i < width; ++i) ASSERT_FALSE(std::isnan(rows[i])) << gradient;
    }
  }
}

TEST_P(OptimizerContractTest, NanIsNeverTurnedIntoANumber) {
  const auto optimizer = Create();
  std::vector<float> rows = FreshRows(*optimizer, 1, 1, 51);
  float* const row = rows.data();
  const float nan = std::nanf("");
  optimizer->Apply(1, absl::MakeConstSpan(&row, 1), absl::MakeConstSpan(&nan, 1), 1.0f);
  EXPECT_TRUE(std::isnan(rows[0]));  // Divergence must reach the loss, which reports it.
}

TEST_P(OptimizerContractTest, IsListedUnderItsName) {
  EXPECT_THAT(OptimizerNames(), Contains(GetParam().spec.type));
}

TEST_P(OptimizerContractTest, ParametersOutOfRangeAreRefusedByName) {
  EXPECT_FALSE(GetParam().refused.empty());
  for (const RefusedParameter& refused : GetParam().refused) {
    EXPECT_THAT(NewOptimizer(refused.spec).status(),
                StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(refused.named)));
  }
}

}  // namespace
}  // namespace seraph
