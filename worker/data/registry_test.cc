// SPDX-License-Identifier: Apache-2.0
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/data/row_format.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

TEST(RowFormatRegistryTest, NamesAreSorted) {
  EXPECT_THAT(RowFormatNames(), ElementsAre("csv", "dummy", "libffm", "libsvm", "tsv"));
}

TEST(RowFormatRegistryTest, LibsvmNeedsItsIndexBaseStated) {
  EXPECT_THAT(NewRowFormat({.format = "libsvm", .index_base = {}}),
              StatusIs(kInvalid, AllOf(HasSubstr("libsvm"), HasSubstr("index_base"))));
}

TEST(RowFormatRegistryTest, DummyCountsFromZeroUnlessStated) {
  auto format = NewRowFormat({.format = "dummy", .index_base = {}});
  ASSERT_OK(format);
  Row row;
  ASSERT_OK((*format)->Parse("1 0 5", &row));
  EXPECT_THAT(row.keys, ElementsAre(0, 5));
}

TEST(RowFormatRegistryTest, OtherBasesAreRefused) {
  EXPECT_THAT(NewRowFormat({.format = "dummy", .index_base = 2}),
              StatusIs(kInvalid, HasSubstr("index_base is 2")));
}

TEST(RowFormatRegistryTest, AnUnknownFormatGetsTheNearestName) {
  EXPECT_THAT(NewRowFormat({.format = "libsmv", .index_base = 1}),
              StatusIs(kInvalid, AllOf(HasSubstr("libsmv"), HasSubstr("did you mean libsvm"))));
  EXPECT_THAT(NewRowFormat({.format = "parquet", .index_base = 1}),
              StatusIs(kInvalid, HasSubstr("formats are csv, dummy, libffm, libsvm, tsv")));
}

TEST(RowFormatRegistryTest, FieldsAreOfFormatsThatHaveNone) {
  EXPECT_OK(NewRowFormat({.format = "dummy", .fields = {"position"}}));
  EXPECT_OK(NewRowFormat({.format = "csv", .fields = {"0..3"}}));
  EXPECT_THAT(NewRowFormat({.format = "dummy", .fields = {"places"}}),
              StatusIs(kInvalid, HasSubstr("fields: `places`")));
  EXPECT_THAT(NewRowFormat({.format = "libffm", .index_base = 0, .fields = {"position"}}),
              StatusIs(kInvalid, HasSubstr("rows of format libffm state their own")));
  EXPECT_TRUE(HasOwnFields("libffm"));
  EXPECT_FALSE(HasOwnFields("csv"));
  EXPECT_FALSE(HasOwnFields("nothing"));
}

TEST(RowFormatRegistryTest, LabelsOfIndicesAreNumbers) {
  EXPECT_OK(NewRowFormat({.format = "dummy", .labels = {.positive = {"2"}, .negative = {"1"}}}));
  EXPECT_THAT(NewRowFormat({.format = "dummy", .labels = {.positive = {"x"}, .negative = {"1"}}}),
              StatusIs(kInvalid, HasSubstr("labels are listed that are no numbers")));
}

TEST(RowFormatRegistryTest, FormatsSayFromWhatTheyCount) {
  EXPECT_EQ(DefaultIndexBase("dummy"), 0u);
  EXPECT_EQ(DefaultIndexBase("libsvm"), std::nullopt);
  EXPECT_EQ(DefaultIndexBase("csv"), std::nullopt);
  EXPECT_EQ(DefaultIndexBase("nothing"), std::nullopt);
}

}  // namespace
}  // namespace seraph
