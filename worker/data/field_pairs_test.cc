// SPDX-License-Identifier: Apache-2.0
#include "worker/data/field_pairs.h"

#include <set>

#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

// Rows of (field, key) pairs, all values 1.
Batch Rows(const std::vector<std::vector<std::pair<uint32_t, uint64_t>>>& rows) {
  BatchBuilder builder;
  for (const auto& entries : rows) {
    Row row;
    for (const auto& [field, key] : entries) {
      row.keys.push_back(key);
      row.values.push_back(1);
      row.fields.push_back(field);
    }
    builder.Add(row);
  }
  return builder.batch();
}

TEST(FieldPairsTest, EntriesMeetTheFieldsOfTheOthers) {
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{0, 10}, {1, 20}}})));
  EXPECT_THAT(pairs.keys(), ElementsAre(FieldPairKey(10, 1), FieldPairKey(20, 0)));
  EXPECT_EQ(pairs.Place(0, 1), 0u);
  EXPECT_EQ(pairs.Place(1, 0), 1u);
}

TEST(FieldPairsTest, EntriesOfOneFieldMeetToo) {
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{7, 10}, {7, 20}, {7, 30}}})));
  EXPECT_THAT(pairs.keys(),
              ElementsAre(FieldPairKey(10, 7), FieldPairKey(20, 7), FieldPairKey(30, 7)));
  EXPECT_EQ(pairs.Place(1, 0), pairs.Place(1, 2));
}

TEST(FieldPairsTest, PairsOfSeveralRowsStandOnce) {
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{0, 10}, {1, 20}}, {}, {{5, 1}}, {{0, 10}, {1, 21}}})));
  EXPECT_THAT(pairs.keys(),
              ElementsAre(FieldPairKey(10, 1), FieldPairKey(20, 0), FieldPairKey(21, 0)));
  EXPECT_EQ(pairs.Place(3, 4), 0u);
  EXPECT_EQ(pairs.Place(4, 3), 2u);
}

TEST(FieldPairsTest, LargeFieldNumbersCostNothing) {
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{99999, 1}, {4294967295u, ~uint64_t{0}}}})));
  EXPECT_THAT(pairs.keys(), SizeIs(2));
}

TEST(FieldPairsTest, AFeatureInTwoFieldsMeetsItself) {
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{0, 10}, {1, 10}}})));
  EXPECT_EQ(pairs.keys()[pairs.Place(0, 1)], FieldPairKey(10, 1));
  EXPECT_EQ(pairs.keys()[pairs.Place(1, 0)], FieldPairKey(10, 0));
}

TEST(FieldPairsTest, KeysOfPairsAreApart) {
  std::set<uint64_t> keys;
  for (uint64_t feature = 0; feature < 300; ++feature) {
    for (uint32_t field = 0; field < 300; ++field) keys.insert(FieldPairKey(feature, field));
  }
  EXPECT_EQ(keys.size(), 300u * 300u);
}

TEST(FieldPairsTest, FeaturesWithoutFieldsAreAnError) {
  Batch batch = Rows({{{0, 10}, {1, 20}}});
  batch.fields.clear();
  FieldPairs pairs;
  ASSERT_OK(pairs.Build(Rows({{{0, 10}, {1, 20}}})));
  EXPECT_THAT(pairs.Build(batch), StatusIs(kInvalid, HasSubstr("needs fields")));
  EXPECT_THAT(pairs.keys(), IsEmpty());
  ASSERT_OK(pairs.Build(Rows({{}})));  // A row without features needs none.
  EXPECT_THAT(pairs.keys(), IsEmpty());
}

TEST(FieldPairsTest, TooManyPairsAreAnError) {
  std::vector<std::pair<uint32_t, uint64_t>> row;
  for (uint32_t i = 0; i <= FieldPairs::kMaxOfRow; ++i) row.push_back({0, i});
  FieldPairs pairs;
  EXPECT_THAT(pairs.Build(Rows({row})), StatusIs(kInvalid, HasSubstr("a row of 32769 features")));
  row.clear();
  for (uint32_t i = 0; i < 20000; ++i) row.push_back({i, i});
  EXPECT_THAT(pairs.Build(Rows({row})),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("too many fields")));
  EXPECT_THAT(pairs.keys(), IsEmpty());
}

}  // namespace
}  // namespace seraph
