// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_inspection.h"

#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

class DataInspectionTest : public DataSetFixture {
 protected:
  absl::StatusOr<DataInspection> Inspect(const std::vector<std::string>& paths,
                                         const std::string& format = "",
                                         std::optional<uint64_t> index_base = {}) const {
    return InspectData(paths, {format, index_base, folder_});
  }
};

TEST_F(DataInspectionTest, RowsOfIndicesAreCounted) {
  const auto found =
      Inspect({Write("a", "1 3:1 7:2\n-1 4:1\n"), Write("b.gz", Gzip("# x\n1\n1 20:1 9:1\n"))});
  ASSERT_OK(found);
  EXPECT_EQ(found->format.format, "libsvm");
  EXPECT_EQ(found->format.index_base, 1u);
  EXPECT_EQ(found->rows, 4u);
  EXPECT_EQ(found->bad_rows, 0u);
  EXPECT_THAT(found->labels, ElementsAre(Pair(-1, 1), Pair(1, 3)));
  EXPECT_EQ(found->features, 5u);
  EXPECT_EQ(found->smallest_index, 3u);
  EXPECT_EQ(found->largest_index, 20u);
  EXPECT_THAT(found->columns, IsEmpty());
}

TEST_F(DataInspectionTest, AnIndexZeroTellsTheBase) {
  EXPECT_EQ(Inspect({Write("a", "1 3:1\n1 0:2\n")})->format.index_base, 0u);
  EXPECT_EQ(Inspect({Write("a", "1 3 4\n1 0\n")})->format.index_base, 0u);
  const auto stated = Inspect({Write("a", "1 3:1\n1 0:2\n")}, "", 1);
  ASSERT_OK(stated);
  EXPECT_EQ(stated->bad_rows, 1u);
  EXPECT_EQ(stated->smallest_index, 3u);
  EXPECT_EQ(stated->first_bad_rows[0].what, "index 0 is below index_base 1");
}

TEST_F(DataInspectionTest, FieldsAreCounted) {
  const auto found = Inspect({Write("a", "1 3:1:1 9:0:2\n0 2:5:1\n")});
  ASSERT_OK(found);
  EXPECT_EQ(found->format.format, "libffm");
  EXPECT_EQ(found->smallest_field, 2u);
  EXPECT_EQ(found->largest_field, 9u);
}

TEST_F(DataInspectionTest, ColumnsAreCountedAndGivenRoles) {
  std::string text = "age, job, label\n";
  for (int i = 0; i < 50; ++i) absl::StrAppend(&text, i, ", job", i % 3, ", ", i % 2, "\n");
  text += "?, ?, 1\n";
  const auto found = Inspect({Write("a.csv", text)});
  ASSERT_OK(found);
  EXPECT_TRUE(found->format.dialect.header);
  EXPECT_THAT(found->format.dialect.missing, ElementsAre("?"));
  EXPECT_EQ(found->format.columns.label, "label");
  EXPECT_THAT(found->format.columns.numeric, ElementsAre("age"));
  EXPECT_THAT(found->format.columns.categorical, ElementsAre("job"));
  EXPECT_EQ(found->rows, 51u);
  EXPECT_EQ(found->bad_rows, 0u);
  EXPECT_THAT(found->labels, ElementsAre(Pair(0, 25), Pair(1, 26)));
  ASSERT_THAT(found->columns, SizeIs(3));
  EXPECT_EQ(found->columns[0].missing, 1u);
  EXPECT_EQ(found->columns[0].largest, 49);
  EXPECT_EQ(found->columns[1].values.size(), 3u);
}

TEST_F(DataInspectionTest, BadRowsAreListedByFileAndLine) {
  std::string text;
  for (int i = 0; i < 50; ++i) absl::StrAppend(&text, i % 2, " ", i + 1, ":1\n");
  const std::string a = Write("a", text + "1 3\n");
  const std::string b = Write("b", "x\ny\n" + text + "1 2:z\n1 4\n1 5\n");
  const auto found = Inspect({a, b});
  ASSERT_OK(found);
  EXPECT_EQ(found->rows, 106u);
  EXPECT_EQ(found->bad_rows, 6u);
  ASSERT_THAT(found->first_bad_rows, SizeIs(DataInspection::kMostBadRows));
  EXPECT_EQ(found->first_bad_rows[0].file, a);
  EXPECT_EQ(found->first_bad_rows[0].line, 51u);
  EXPECT_EQ(found->first_bad_rows[0].what, "`3` has no value");
  EXPECT_EQ(found->first_bad_rows[1].file, b);
  EXPECT_EQ(found->first_bad_rows[1].line, 1u);
}

TEST_F(DataInspectionTest, LabelsAreListedUpToALimit) {
  std::string text;
  for (int i = 0; i < 30; ++i) absl::StrAppend(&text, i - 5, ".5 1:1\n");
  const auto found = Inspect({Write("a", text)});
  ASSERT_OK(found);
  EXPECT_THAT(found->labels, SizeIs(DataInspection::kMostLabels));
  EXPECT_TRUE(found->more_labels);
  EXPECT_EQ(found->smallest_label, -5.5f);
  EXPECT_EQ(found->largest_label, 24.5f);
}

TEST_F(DataInspectionTest, EveryFileMayHaveAHeader) {
  const auto found =
      Inspect({Write("a", "y,a\n1,2\n"), Write("b", "a,y\n2,0\n"), Write("c", "y,b\n1,2\n")});
  // The last has not the columns of the first, as a job would find.
  EXPECT_OK(found);
  EXPECT_THAT(Inspect({Write("a", "y,a,c\n1,2,x\n"), Write("d", "y,b,c\n1,2,x\n")}),
              StatusIs(kInvalid, AllOf(HasSubstr(Path("d") + ":1: there is no column `a`"))));
}

TEST_F(DataInspectionTest, DataWithoutAGoodRowIsAnError) {
  const std::string path = Write("a.csv", "setosa,1\nvirginica,2\n");
  EXPECT_THAT(Inspect({path}, "libsvm"),
              StatusIs(kInvalid, path + ":1: label `setosa,1` is not a number (all 2 rows are bad "
                                        "as libsvm)"));
  const std::string empty = Write("empty", "\n");
  EXPECT_THAT(Inspect({empty}, "libsvm"), StatusIs(kInvalid, HasSubstr("holds no rows")));
  EXPECT_THAT(Inspect({empty}), StatusIs(kInvalid, HasSubstr(empty + ": the text is in none")));
  EXPECT_THAT(Inspect({Path("none")}), StatusIs(absl::StatusCode::kNotFound, HasSubstr("none")));
  EXPECT_THAT(Inspect({path}, "csv", 1), StatusIs(kInvalid, HasSubstr("no index_base")));
}

}  // namespace
}  // namespace seraph
