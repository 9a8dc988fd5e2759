// SPDX-License-Identifier: Apache-2.0
#include "server/table/initializer.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;

using Type = InitializerSpec::Type;

std::vector<float> Values(Type type, double value, uint64_t seed, uint64_t key, size_t dim) {
  std::vector<float> weights(dim);
  InitialValue({type, value}, seed, key, absl::MakeSpan(weights));
  return weights;
}

struct Moments {
  double mean = 0, variance = 0, least = 1e9, most = -1e9;
};

Moments MomentsOf(Type type, double value) {
  Moments moments;
  constexpr int kKeys = 20'000, kDim = 10;
  for (uint64_t key = 0; key < kKeys; ++key) {
    for (const double w : Values(type, value, 7, key, kDim)) {
      moments.mean += w / (kKeys * kDim);
      moments.variance += w * w / (kKeys * kDim);
      moments.least = std::min(moments.least, w);
      moments.most = std::max(moments.most, w);
    }
  }
  moments.variance -= moments.mean * moments.mean;
  return moments;
}

TEST(InitializerTest, ConstantFillsTheRow) {
  EXPECT_THAT(Values(Type::kConstant, 0.75, 1, 2, 3), ElementsAre(0.75f, 0.75f, 0.75f));
}

TEST(InitializerTest, UniformHasItsRangeAndMoments) {
  const Moments moments = MomentsOf(Type::kUniform, 0.5);
  EXPECT_NEAR(moments.mean, 0, 0.003);
  EXPECT_NEAR(moments.variance, 0.25 / 3, 0.001);
  EXPECT_GE(moments.least, -0.5);
  EXPECT_LT(moments.most, 0.5);
}

TEST(InitializerTest, NormalHasItsMoments) {
  const Moments moments = MomentsOf(Type::kNormal, 2);
  EXPECT_NEAR(moments.mean, 0, 0.02);
  EXPECT_NEAR(moments.variance, 4, 0.05);
  EXPECT_LT(moments.least, -7);
  EXPECT_GT(moments.most, 7);
}

TEST(InitializerTest, ScaleOfZeroGivesZeros) {
  EXPECT_THAT(Values(Type::kUniform, 0, 1, 2, 5), Each(0.0f));
  EXPECT_THAT(Values(Type::kNormal, 0, 1, 2, 5), Each(0.0f));
}

TEST(InitializerTest, SeedKeyAndColumnEachMatter) {
  for (const Type type : {Type::kUniform, Type::kNormal}) {
    const std::vector<float> row = Values(type, 1, 1, 2, 4);
    EXPECT_NE(Values(type, 1, 3, 2, 4), row);
    EXPECT_NE(Values(type, 1, 1, 3, 4), row);
    EXPECT_NE(Values(type, 1, 2, 1, 4), row);
    EXPECT_NE(row[0], row[1]);
  }
}

TEST(InitializerTest, WiderRowBeginsWithTheNarrowerOne) {
  std::vector<float> wide = Values(Type::kNormal, 1, 5, 6, 9);
  wide.resize(4);
  EXPECT_EQ(Values(Type::kNormal, 1, 5, 6, 4), wide);
}

// These values are part of every reproducible result: a change of them is a change of format. They
// were computed apart from the product, with integers of any size.
TEST(InitializerTest, ValuesAreThoseOfEveryVersion) {
  EXPECT_THAT(Values(Type::kUniform, 1, 42, 7, 2),
              ElementsAre(0.3920168876647949f, 0.9725457429885864f));
  EXPECT_THAT(Values(Type::kNormal, 1, 42, 7, 2),
              ElementsAre(48804 / 65536.0f, -116670 / 65536.0f));
}

}  // namespace
}  // namespace seraph
