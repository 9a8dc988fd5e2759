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

TEST(BatchBuilderTest, ClearedBuilderStartsAnew) {
  BatchBuilder builder;
  builder.Add({.label = 1, .keys = {5}, .values = {1}});
  builder.Clear();
  EXPECT_EQ(builder.batch().rows(), 0u);
  EXPECT_THAT(builder.batch().keys, IsEmpty());
  builder.Add({.label = 0, .keys = {7}, .values = {2}});
  EXPECT_THAT(builder.batch().keys, ElementsAre(7));
  EXPECT_THAT(builder.batch().column, ElementsAre(0));
  EXPECT_THAT(builder.batch().row_begin, ElementsAre(0, 1));
}

}  // namespace
}  // namespace seraph
