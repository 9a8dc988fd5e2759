// SPDX-License-Identifier: Apache-2.0
// Data sets of csv and tsv files: headers, records of several lines, what is an error where.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"
#include "worker/data/block_cutter.h"
#include "worker/data/line_reader.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

class DataSetColumnsTest : public DataSetFixture {
 protected:
  static DataFile Csv(const std::string& path, const Columns& columns = {},
                      const Dialect& dialect = {}) {
    return {.path = path, .format = {.format = "csv", .columns = columns, .dialect = dialect}};
  }
  static DataFile WithHeader(const std::string& path, const Columns& columns = {}) {
    return Csv(path, columns, {.header = true});
  }

  absl::StatusOr<std::vector<std::string>> Read(const DataFile& file) const {
    auto data = DataSet::Open({file}, Options());
    if (!data.ok()) return data.status();
    return ReadAll(**data);
  }
};

TEST_F(DataSetColumnsTest, TheHeaderIsNoRow) {
  const std::string path = Write("a.csv", "\xef\xbb\xbfy,a,b\r\n1,2,3\r\n0,,4");
  EXPECT_THAT(*Read(WithHeader(path)), ElementsAre("1 1=2 2=3", "0 2=4"));
  const auto data = Open(WithHeader(path));
  const DataIndex index = data->BuildIndex().value();
  ASSERT_EQ(index.blocks.size(), 1u);
  EXPECT_EQ(index.blocks[0].first_line, 2u);
  EXPECT_EQ(index.rows, 2u);
}

TEST_F(DataSetColumnsTest, TheHeaderIsTheFirstRecordThatIsNeitherBlankNorComment) {
  DataFile file = WithHeader(Write("a.csv", "\n# \"made by hand\n\"y\",\"a\nb\"\n1,2\n"));
  file.format.dialect.comment = "#";
  file.format.columns.numeric = {"a\nb"};
  EXPECT_THAT(*Read(file), ElementsAre("1 1=2"));
}

TEST_F(DataSetColumnsTest, EveryFileHasItsOwnHeader) {
  const Columns columns{.label = "y", .names = {"y", "a", "b"}};
  const auto data = DataSet::Open({WithHeader(Write("1.csv", "y,a,b\n1,2,3\n"), columns),
                                   WithHeader(Write("2.csv", "b,unused,y,a\n3,x,0,2\n"), columns)},
                                  Options());
  ASSERT_OK(data);
  EXPECT_THAT(*ReadAll(**data), ElementsAre("1 1=2 2=3", "0 1=2 2=3"));
}

TEST_F(DataSetColumnsTest, AHeaderAloneHoldsNoRows) {
  const std::string path = Write("a.csv", "y,a\n");
  EXPECT_THAT(Read(WithHeader(path)),
              StatusIs(kInvalid, AllOf(HasSubstr(path), HasSubstr("holds no rows"))));
  EXPECT_THAT(Read(WithHeader(Write("empty.csv", ""))),
              StatusIs(kInvalid, HasSubstr("holds no rows")));
}

TEST_F(DataSetColumnsTest, AColumnThatIsNotInTheHeaderIsNamedWithItsFile) {
  const std::string path = Write("a.csv", "\nlabel,a\n1,2\n");
  EXPECT_THAT(Read(WithHeader(path, {.label = "lable"})),
              StatusIs(kInvalid, path + ":2: there is no column `lable`, did you mean `label`?"));
}

TEST_F(DataSetColumnsTest, ARecordMaySpanLinesAndIsOneRow) {
  const std::string path = Write("a.csv", "1,\"x\ny\",2\n\n0,\"\n\n\",3\n1,,\"4\n\"\nbad,,1\n");
  const Columns columns{.numeric = {"2"}};
  EXPECT_THAT(Read(Csv(path, columns)),
              StatusIs(kInvalid, path + ":9: label `bad` is not a number"));
  DataSet::Options options = Options();
  options.bad_rows.skip = true;
  const auto data = DataSet::Open({Csv(path, columns)}, options).value();
  EXPECT_THAT(*ReadAll(*data), ElementsAre("1 2=2", "0 2=3", "1 2=4"));
  const DataIndex index = data->BuildIndex().value();
  EXPECT_EQ(index.rows, 4u);
  LoadedBlock loaded;
  ASSERT_OK(data->LoadBlock(index.blocks[0], &loaded));
  EXPECT_THAT(loaded.line_numbers, ElementsAre(1, 4, 7, 9));
  EXPECT_EQ(loaded.records[1], "0,\"\n\n\",3");
}

TEST_F(DataSetColumnsTest, BlocksDoNotCutRecords) {
  std::string text;
  for (int i = 0; i < 3000; ++i) {
    absl::StrAppend(&text, i % 2, ",\"", std::string(static_cast<size_t>(i % 500), 'x'), "\n\"\n");
  }
  const auto data = Open(Csv(Write("a.csv", text), {.categorical = {"1"}}));
  const DataIndex index = data->BuildIndex().value();
  EXPECT_EQ(index.rows, 3000u);
  EXPECT_GT(index.blocks.size(), 2u);
  uint64_t line = 1;
  for (const Block& block : index.blocks) {
    EXPECT_EQ(block.first_line, line);
    EXPECT_LE(block.bytes, kBlockBytes);
    line += 2 * block.rows;
  }
  EXPECT_EQ(ReadAll(*data)->size(), 3000u);
}

TEST_F(DataSetColumnsTest, ARecordThatDoesNotEndIsAnErrorEvenWhereBadRowsAreSkipped) {
  const std::string path = Write("a.csv", "1,x\n0,\"y\n1,z\n");
  DataSet::Options options = Options();
  options.bad_rows.skip = true;
  const auto data = DataSet::Open({Csv(path, {.categorical = {"1"}})}, options).value();
  EXPECT_THAT(data->BuildIndex(),
              StatusIs(kInvalid, path + ":2: a quoted field that begins here does not end"));
  const std::string first = Write("b.csv", "1,\"x\n");
  EXPECT_THAT(Read(Csv(first)), StatusIs(kInvalid, HasSubstr(first + ":1: a quoted field")));
}

TEST_F(DataSetColumnsTest, AQuoteThatIsNeverClosedReadsNoFurtherThanARecordMayBe) {
  std::string text = "1,2\n1,\"2\n";
  const std::string row = std::string(1023, 'x') + "\n";
  while (text.size() < kMaxLineBytes + (8 << 20)) text += row;
  const std::string path = Write("a.csv", text);
  EXPECT_THAT(Open(Csv(path))->BuildIndex(),
              StatusIs(kInvalid, path + ":2: a quoted field that begins here does not end within "
                                        "64 MiB"));
}

TEST_F(DataSetColumnsTest, RaggedRowsAreNamedByLineAndCounts) {
  const std::string path = Write("a.csv", "y,b,c\n1,2,3\n4,5\n");
  EXPECT_THAT(Read(WithHeader(path)),
              StatusIs(kInvalid, path + ":3: the row has 2 columns, the header has 3"));
}

TEST_F(DataSetColumnsTest, PartsOfAFolderAreFilesOfTheirOwn) {
  Write("parts-1", "1,2");
  Write("parts-2", "0,3");
  const auto files = ExpandPath(Path("parts-*"), {.format = "csv"});
  ASSERT_OK(files);
  const auto data = DataSet::Open(*files, Options());
  ASSERT_OK(data);
  EXPECT_THAT(*ReadAll(**data), ElementsAre("1 1=2", "0 1=3"));
}

TEST_F(DataSetColumnsTest, AMixedFolderReadsEachFileAsItsEntrySays) {
  const auto data =
      DataSet::Open({Libsvm(Write("a.libsvm", "1 2:5\n")),
                     Csv(Write("b.csv", "0,5\n")),
                     Csv(Write("c.csv.gz", Gzip("5;1\n")), {.label = "-1"}, {.delimiter = ";"}),
                     {.path = Write("d.ffm.zst", Zstd("1 3:1:5\n")),
                      .format = {.format = "libffm", .index_base = 0}}},
                    Options());
  ASSERT_OK(data);
  EXPECT_THAT(*ReadAll(**data), ElementsAre("1 1=5", "0 1=5", "1 0=5", "1 1=5"));
}

}  // namespace
}  // namespace seraph
