// SPDX-License-Identifier: Apache-2.0
#include "worker/data/scale.h"

#include <cmath>
#include <limits>
#include <vector>

#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/data/category_key.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Method = ScaleRule::Method;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(ScaleRuleTest, ReadsItsWords) {
  EXPECT_EQ(ScaleRule::Of("").value(), ScaleRule());
  EXPECT_EQ(ScaleRule::Of("none").value(), ScaleRule());
  EXPECT_FALSE(ScaleRule().fitted());
  EXPECT_EQ(ScaleRule::Of("standard").value().method, Method::kStandard);
  EXPECT_TRUE(ScaleRule::Of("minmax").value().fitted());
  EXPECT_EQ(ScaleRule::Of("16").value(), (ScaleRule{.method = Method::kNumber, .divisor = 16}));
  EXPECT_FALSE(ScaleRule::Of("0.5").value().fitted());
  EXPECT_EQ(ScaleRule::Of("0.1").value().divisor, 0.1);  // Not the float's neighbour.
  for (const char* const text : {"0", "-1", "nan", "inf", "1e39", "std", "16x"}) {
    EXPECT_THAT(ScaleRule::Of(text), StatusIs(kInvalid, HasSubstr("is not none, standard")))
        << text;
  }
}

// Column j of a row of columns has key j.
Row Columns(const std::vector<float>& values) {
  Row row;
  for (size_t j = 0; j < values.size(); ++j) {
    if (std::isnan(values[j])) continue;  // Missing.
    row.keys.push_back(j);
    row.values.push_back(values[j]);
  }
  return row;
}

constexpr float kMissing = std::numeric_limits<float>::quiet_NaN();

std::vector<FeatureScale> FitColumns(Method method, const std::vector<std::vector<float>>& rows) {
  ScaleFitter fitter(method);
  for (const auto& row : rows) EXPECT_OK(fitter.AddColumns(0, Columns(row)));
  return fitter.Scales();
}

TEST(ScaleFitterTest, StandardTakesMeanAndDeviationOfTheValuesOfAColumn) {
  const auto scales = FitColumns(Method::kStandard, {{0, 5, 7}, {4, 5, kMissing}, {8, 5, 9}});
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_EQ(scales[0].offset, 4);
  EXPECT_DOUBLE_EQ(scales[0].divisor, std::sqrt(32.0 / 3));
  EXPECT_EQ(scales[1], (FeatureScale{.key = 1, .offset = 5, .divisor = 1}));  // Constant.
  EXPECT_EQ(scales[2], (FeatureScale{.key = 2, .offset = 8, .divisor = 1}));
}

TEST(ScaleFitterTest, MinmaxTakesTheRangeOfTheValuesOfAColumn) {
  EXPECT_THAT(FitColumns(Method::kMinMax, {{-2, 5, 0}, {0, 5, kMissing}, {8, 5, 9}}),
              ElementsAre(FeatureScale{0, -2, 10}, FeatureScale{1, 5, 1}, FeatureScale{2, 0, 9}));
}

TEST(ScaleFitterTest, CategoriesAreNotMeasured) {
  ScaleFitter fitter(Method::kStandard);
  ASSERT_OK(fitter.AddColumns(0, {.keys = {CategoryKey(1, "red")}, .values = {1}}));
  EXPECT_THAT(fitter.Scales(), IsEmpty());
}

TEST(ScaleFitterTest, ColumnsAreMeasuredByTheirHashedKeys) {
  ScaleFitter fitter(Method::kMinMax);
  ASSERT_OK(fitter.AddColumns(20, Columns({3})));
  ASSERT_OK(fitter.AddColumns(20, Columns({5})));
  EXPECT_THAT(fitter.Scales(), ElementsAre(FeatureScale{HashedKey(0, 20), 3, 2}));
}

TEST(ScaleFitterTest, OfIndicesTheAbsentOnesAreZerosAndStayThat) {
  ScaleFitter standard(Method::kStandard), minmax(Method::kMinMax);
  for (ScaleFitter* fitter : {&standard, &minmax}) {
    ASSERT_OK(fitter->AddRow({.keys = {3, 9}, .values = {4, -8}}));
    ASSERT_OK(fitter->AddRow({.keys = {3, 7}, .values = {2, 1}}));
    ASSERT_OK(fitter->AddRow({}));
    ASSERT_OK(fitter->AddRow({.keys = {7}, .values = {1}}));
  }
  // 4, 2, 0, 0: mean 1.5, variance 2.75. 0, 1, 0, 1: variance .25. -8, 0, 0, 0: variance 12.
  const auto scales = standard.Scales();
  ASSERT_EQ(scales.size(), 3u);
  EXPECT_DOUBLE_EQ(scales[0].divisor, std::sqrt(2.75));
  EXPECT_DOUBLE_EQ(scales[1].divisor, .5);
  EXPECT_DOUBLE_EQ(scales[2].divisor, std::sqrt(12.0));
  for (const FeatureScale& scale : scales) EXPECT_EQ(scale.offset, 0);
  EXPECT_THAT(minmax.Scales(),
              ElementsAre(FeatureScale{3, 0, 4}, FeatureScale{7, 0, 1}, FeatureScale{9, 0, 8}));
}

TEST(ScaleFitterTest, AnIndexOfTheSameValueInAllRowsStaysAsItIs) {
  ScaleFitter fitter(Method::kStandard);
  for (int i = 0; i < 10; ++i) ASSERT_OK(fitter.AddRow({.keys = {3}, .values = {.1f}}));
  EXPECT_THAT(fitter.Scales(), ElementsAre(FeatureScale{3, 0, 1}));
}

// A sum of squares less the square of the sum has no digit left here.
TEST(ScaleFitterTest, ALargeMeanCostsNoDigits) {
  ScaleFitter fitter(Method::kStandard);
  for (int i = 0; i < 100000; ++i) {
    ASSERT_OK(fitter.AddColumns(0, Columns({16777214.0f + static_cast<float>(i % 2) * 2})));
  }
  const auto scales = fitter.Scales();
  EXPECT_NEAR(scales[0].offset, 16777215, 1e-6);
  EXPECT_NEAR(scales[0].divisor, 1, 1e-9);
}

TEST(ScaleFitterTest, TooManyFeaturesAreRefused) {
  ScaleFitter fitter(Method::kMinMax);
  for (uint64_t key = 0; key < ScaleFitter::kMostKeys; ++key) {
    ASSERT_OK(fitter.AddRow({.keys = {key}, .values = {1}}));
  }
  EXPECT_OK(fitter.AddRow({.keys = {7}, .values = {1}}));
  EXPECT_THAT(fitter.AddRow({.keys = {ScaleFitter::kMostKeys}, .values = {1}}),
              StatusIs(kInvalid, HasSubstr("more than 500000 features to scale: state "
                                           "data.hash_bits")));
}

TEST(ScalerTest, ScaledTrainingColumnsHaveMeanZeroAndVarianceOne) {
  SplitMix64 random(3);
  std::vector<std::vector<float>> rows;
  for (int i = 0; i < 1000; ++i) {
    rows.push_back(
        {static_cast<float>(1e5 + random.NextUnit()), static_cast<float>(random.NextUnit() < .5)});
  }
  const Scaler scaler = Scaler::ByKey(FitColumns(Method::kStandard, rows)).value();
  EXPECT_TRUE(scaler.has_offsets());
  for (size_t j = 0; j < 2; ++j) {
    double sum = 0, squares = 0;
    for (const auto& values : rows) {
      Row row = Columns(values);
      ASSERT_OK(scaler.ScaleColumns(0, &row));
      sum += row.values[j];
      squares += row.values[j] * row.values[j];
    }
    EXPECT_NEAR(sum / 1000, 0, 1e-5);
    EXPECT_NEAR(squares / 1000, 1, 1e-5);
  }
}

TEST(ScalerTest, ZerosOfColumnsAreScaledAndOthersLeftAsTheyAre) {
  const std::vector<FeatureScale> scales = {{0, 4, 2}, {HashedKey(5, 10), 1, 4}};
  const Scaler scaler = Scaler::ByKey(scales).value();
  Row row{.keys = {0, 1, CategoryKey(2, "x")}, .values = {0, 6, 1}};
  ASSERT_OK(scaler.ScaleColumns(0, &row));
  EXPECT_THAT(row.values, ElementsAre(-2, 6, 1));
  row = {.keys = {5}, .values = {3}};
  ASSERT_OK(scaler.ScaleColumns(10, &row));
  EXPECT_THAT(row.keys, ElementsAre(5));
  EXPECT_THAT(row.values, ElementsAre(.5f));
}

TEST(ScalerTest, ANumberDividesAllValues) {
  Row row{.keys = {0, 7}, .values = {8, 16}};
  ASSERT_OK(Scaler::DivideBy(16).ScaleRow(&row));
  EXPECT_THAT(row.values, ElementsAre(.5f, 1));
  EXPECT_FALSE(Scaler::DivideBy(16).has_offsets());
  EXPECT_TRUE(Scaler::DivideBy(1).idle());
  EXPECT_TRUE(Scaler().idle());
}

TEST(ScalerTest, WhatComesOutAsZeroIsNoFeature) {
  Row row{.keys = {0, 7}, .values = {1e-30f, 16}, .fields = {1, 2}};
  ASSERT_OK(Scaler::DivideBy(1e30).ScaleRow(&row));
  EXPECT_THAT(row.keys, ElementsAre(7));
  EXPECT_THAT(row.fields, ElementsAre(2));
}

TEST(ScalerTest, WhatAFloatDoesNotHoldIsAnErrorThatNamesTheKey) {
  const Scaler scaler = Scaler::DivideBy(1e-30);
  Row row{.keys = {7}, .values = {1e20f}};
  EXPECT_THAT(scaler.ScaleRow(&row),
              StatusIs(kInvalid, HasSubstr("scaled value of key 7 is more")));
}

TEST(ScalerTest, ScalesThatCannotBeAreRefused) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const std::vector<std::vector<FeatureScale>> wrong = {
      {{1, 0, 0}}, {{1, 0, -1}}, {{1, nan, 1}}, {{1, 0, nan}}, {{1, 0, 1}, {1, 0, 2}}};
  for (const auto& scales : wrong) {
    EXPECT_THAT(Scaler::ByKey(scales), StatusIs(kInvalid, HasSubstr("scale of key 1")));
  }
}

}  // namespace
}  // namespace seraph
