// SPDX-License-Identifier: Apache-2.0
#include "worker/data/field_map.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

FieldMap Map(const std::vector<std::string>& texts) { return FieldMap::Of(texts).value(); }

TEST(FieldMapTest, PositionsAreThoseInTheRow) {
  for (const FieldMap& map : {Map({"position"}), Map({}), FieldMap()}) {
    Row row{.keys = {7, 3, 7}, .values = {1, 1, 1}};
    ASSERT_OK(map.Number(&row));
    EXPECT_THAT(row.fields, ElementsAre(0, 1, 2));
  }
}

TEST(FieldMapTest, PositionsOfColumnsStay) {
  Row row{.keys = {1, 1u << 31}, .values = {1, 1}, .fields = {1, 5}};
  ASSERT_OK(Map({"position"}).Number(&row));
  EXPECT_THAT(row.fields, ElementsAre(1, 5));
}

TEST(FieldMapTest, TheRangeOfAKeyIsItsField) {
  const FieldMap map = Map({"9..17", "0..8", "20..18446744073709551615"});
  Row row{.keys = {0, 8, 9, 17, 20, 18446744073709551615u}, .values = {1, 1, 1, 1, 1, 1}};
  ASSERT_OK(map.Number(&row));
  EXPECT_THAT(row.fields, ElementsAre(1, 1, 0, 0, 2, 2));
}

TEST(FieldMapTest, RangesOfColumnsGoByTheirPositions) {
  Row row{.keys = {1, uint64_t{1} << 63}, .values = {1, 1}, .fields = {1, 5}};
  ASSERT_OK(Map({"0..4", "5..6"}).Number(&row));
  EXPECT_THAT(row.fields, ElementsAre(0, 1));
}

TEST(FieldMapTest, AKeyInNoRangeIsNamedUnlessItIsNoFeature) {
  const FieldMap map = Map({"1..8", "10..17"});
  for (const uint64_t key : {0, 9, 18}) {
    Row row{.keys = {1, key}, .values = {1, 1}};
    EXPECT_THAT(map.Number(&row),
                StatusIs(kInvalid, HasSubstr("key " + std::to_string(key) + " is in none")));
    row = {.keys = {1, key}, .values = {1, 0}};
    EXPECT_OK(map.Number(&row));
  }
  Row columns{.keys = {uint64_t{1} << 63}, .values = {1}, .fields = {9}};
  EXPECT_THAT(map.Number(&columns), StatusIs(kInvalid, HasSubstr("column 9 is in none")));
}

TEST(FieldMapTest, WordsThatAreNoRangesAreRefused) {
  const auto error = [](const std::vector<std::string>& texts) {
    return FieldMap::Of(texts).status();
  };
  EXPECT_THAT(error({"0", "8"}), StatusIs(kInvalid, HasSubstr("`0` is neither `position` nor")));
  EXPECT_THAT(error({"position", "1..2"}), StatusIs(kInvalid, HasSubstr("`position` is neither")));
  EXPECT_THAT(error({"8..0"}), StatusIs(kInvalid, HasSubstr("8..0 ends before it begins")));
  EXPECT_THAT(error({"-1..2"}), StatusIs(kInvalid, HasSubstr("`-1` is negative")));
  EXPECT_THAT(error({"0..8", "4..9"}), StatusIs(kInvalid, HasSubstr("0..8 and 4..9 overlap")));
  EXPECT_THAT(error({"5..5", "5..5"}), StatusIs(kInvalid, HasSubstr("overlap")));
}

}  // namespace
}  // namespace seraph
