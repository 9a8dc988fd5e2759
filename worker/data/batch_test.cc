// SPDX-License-Identifier: Apache-2.0
#include "worker/data/batch.h"

#include "gmock/gmock.h"
#include "gtest/gtest.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(BatchBuilderTest, KeysStandOnceInOrderOfFirstAppearance) {
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {5, 9}, .values = {1, 2}});
  builder.Add({.label = 0, .keys = {}, .values = {}});
  builder.Add({.label = 1, .keys = {2, 9}, .values = {3, 4}});
  const Batch& batch = builder.batch();
  EXPECT_EQ(batch.rows(), 3u);
  EXPECT_THAT(batch.labels, ElementsAre(1, 0, 1));
  EXPECT_THAT(batch.row_begin, ElementsAre(0, 2, 2, 4));
  EXPECT_THAT(batch.keys, ElementsAre(5, 9, 2));
  EXPECT_THAT(batch.column, ElementsAre(0, 1, 2, 1));
  EXPECT_THAT(batch.values, ElementsAre(1, 2, 3, 4));
}

TEST(BatchBuilderTest, WeightsAreOneUnlessStated) {
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {5}, .values = {1}});
  builder.Add({.label = 1, .weight = 0.25f, .keys = {5}, .values = {1}});
  EXPECT_THAT(builder.batch().weights, ElementsAre(1, 0.25f));
}

TEST(BatchBuilderTest, FieldsStandBesideEntriesAndAKeyMayHaveSeveral) {
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {5, 5, 9}, .values = {1, 2, 3}, .fields = {0, 7, 4294967295}});
  builder.Add({.label = 0, .keys = {}, .values = {}});
  builder.Add({.label = 0, .keys = {9}, .values = {4}, .fields = {1}});
  EXPECT_THAT(builder.batch().fields, ElementsAre(0, 7, 4294967295, 1));
  EXPECT_THAT(builder.batch().column, ElementsAre(0, 0, 1, 1));
  EXPECT_THAT(builder.batch().keys, ElementsAre(5, 9));
}

TEST(BatchBuilderTest, OneRowOfFeaturesWithoutFieldsLeavesTheBatchWithout) {
  const Row with{.label = 1, .keys = {5}, .values = {1}, .fields = {2}};
  const Row without{.label = 1, .keys = {5}, .values = {1}};
  for (const bool first : {true, false}) {
    BatchBuilder builder;
    builder.Add(first ? without : with);
    builder.Add(first ? with : without);
    builder.Add(with);
    EXPECT_THAT(builder.batch().fields, IsEmpty());
    EXPECT_THAT(builder.batch().column, ElementsAre(0, 0, 0));
  }
}

TEST(BatchBuilderTest, ClearedBuilderStartsAnew) {
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {5}, .values = {1}});
  builder.Clear();
  EXPECT_EQ(builder.batch().rows(), 0u);
  EXPECT_THAT(builder.batch().weights, IsEmpty());
  EXPECT_THAT(builder.batch().keys, IsEmpty());
  builder.Add({.label = 0, .keys = {7}, .values = {2}, .fields = {3}});
  EXPECT_THAT(builder.batch().fields, ElementsAre(3));
  EXPECT_THAT(builder.batch().keys, ElementsAre(7));
  EXPECT_THAT(builder.batch().column, ElementsAre(0));
  EXPECT_THAT(builder.batch().row_begin, ElementsAre(0, 1));
}

}  // namespace
}  // namespace seraph
