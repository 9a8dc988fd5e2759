// SPDX-License-Identifier: Apache-2.0
// The files of ../shared/data/nasty (tests/nasty/nasty_cases.h), read the way a job reads them.
// Skipped where SERAPH_SHARED_DATA does not say where they lie.
#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "client/cli/job/job_file.h"
#include "client/cli/job/resolve.h"
#include "common/status_macros.h"
#include "gtest/gtest.h"
#include "tests/nasty/nasty_cases.h"
#include "tests/status_matchers.h"
#include "worker/data/category_key.h"
#include "worker/data/data_set.h"
#include "worker/model/registry.h"
#include "worker/train/data_entry.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

// Rows that were read, and how many bad ones were left out.
struct ReadRows {
  std::vector<Row> rows;
  uint64_t skipped = 0;
};

absl::StatusOr<std::unique_ptr<DataSet>> OpenCase(const NastyCase& nasty, const std::string& path) {
  ASSIGN_OR_RETURN(v1::JobSpec job, ParseJob(JobOf(nasty, path, ""), "job.yaml", "/", {}));
  RETURN_IF_ERROR(ResolveJob(/*cores=*/2, &job));
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, NewModel(ModelOptionsOf(job)));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(job, *model));
  ASSIGN_OR_RETURN(DataSet::Options options, DataOptionsOf(job, std::move(labels), {}));
  options.spill_folder = ::testing::TempDir();
  options.fields = true;
  ASSIGN_OR_RETURN(std::vector<DataFile> files,
                   ExpandPath(path, FormatOf(job.data(), job.data().train(0))));
  return DataSet::Open(std::move(files), std::move(options));
}

absl::StatusOr<ReadRows> ReadCase(const NastyCase& nasty, const std::string& path) {
  ASSIGN_OR_RETURN(const std::unique_ptr<DataSet> data, OpenCase(nasty, path));
  ASSIGN_OR_RETURN(const DataIndex index, data->BuildIndex());
  ReadRows read;
  for (const Block& block : index.blocks) {
    RETURN_IF_ERROR(data->ReadBlock(block, {}, [&read](uint32_t, const Row& row) {
      read.rows.push_back(row);
      return absl::OkStatus();
    }));
  }
  read.skipped = data->rows_skipped();
  return read;
}

class NastyReaderTest : public ::testing::TestWithParam<NastyCase> {};

TEST_P(NastyReaderTest, ReadsItsRowsOrSaysWhyNot) {
  const auto folder = NastyFolder();
  if (!folder.has_value()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
  const std::string path = *folder + GetParam().path;
  const NastyOutcome& outcome = GetParam().outcome;
  const absl::StatusOr<ReadRows> read = ReadCase(GetParam(), path);
  if (outcome.error.empty()) {
    ASSERT_OK(read);
    EXPECT_EQ(read->rows.size(), outcome.rows);
    EXPECT_EQ(read->skipped, outcome.skipped);
    return;
  }
  ASSERT_FALSE(read.ok());
  const std::string message(read.status().message());
  EXPECT_THAT(message, HasSubstr(outcome.error));
  if (outcome.line > 0) {
    EXPECT_THAT(message, StartsWith(absl::StrCat(path, ":", outcome.line, ": ")));
  }
  for (const char c : message) EXPECT_TRUE(c >= ' ' && c < '\x7f') << message;
}

INSTANTIATE_TEST_SUITE_P(Nasty, NastyReaderTest, ::testing::ValuesIn(NastyCases()),
                         [](const auto& info) { return NameOf(info.param); });

// What the rows hold.
class NastyRowsTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const auto folder = NastyFolder();
    if (!folder.has_value()) GTEST_SKIP() << "SERAPH_SHARED_DATA is not set";
    folder_ = *folder;
  }

  // Of the case of that name.
  std::vector<Row> Rows(const std::string& name) {
    for (const NastyCase& nasty : NastyCases()) {
      if (NameOf(nasty) != name) continue;
      auto read = ReadCase(nasty, folder_ + nasty.path);
      EXPECT_OK(read);
      return read.value_or(ReadRows()).rows;
    }
    ADD_FAILURE() << "there is no case " << name;
    return {};
  }

  std::string folder_;
};

TEST_F(NastyRowsTest, Case01IndexZeroNeedsBaseZero) {
  const std::vector<Row> rows = Rows("Case01Base0");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[1].keys, ElementsAre(0, 1, 2));
  EXPECT_THAT(rows[1].values, ElementsAre(-2, -1, 1));
}

TEST_F(NastyRowsTest, Case02TrainAndTestShareTheStatedBase) {
  // No row of the train file has index 0: a base guessed file by file would differ.
  const std::vector<Row> train = Rows("Case02Train");
  const std::vector<Row> test = Rows("Case02Test");
  ASSERT_THAT(train, SizeIs(2));
  ASSERT_THAT(test, SizeIs(2));
  EXPECT_THAT(train[0].keys, ElementsAre(1, 3));
  EXPECT_THAT(test[0].keys, ElementsAre(0, 1));
}

TEST_F(NastyRowsTest, Case03RepeatedIndicesSum) {
  const std::vector<Row> rows = Rows("Case03RepeatedIndices");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys,
              ElementsAre(0, 1, 8, 11, 12, 155, 307, 310, 518, 1077, 3855, 5036, 102600));
  EXPECT_THAT(rows[0].values, ElementsAre(1, 1, 1, 1, 1, 2, 1, 1, 1, 1, 1, 1, 1));
  EXPECT_THAT(rows[1].keys, ElementsAre(0));
  EXPECT_THAT(rows[1].values, ElementsAre(3));
}

TEST_F(NastyRowsTest, Case04UnsortedReadsAsSorted) {
  const std::vector<Row> rows = Rows("Case04Unsorted");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, ElementsAre(1, 2, 114, 149, 279, 309, 310, 15514));
  EXPECT_THAT(rows[1].keys, ElementsAre(0, 1, 2));
}

TEST_F(NastyRowsTest, Case05LabelsAloneAreRows) {
  const std::vector<Row> rows = Rows("Case05LabelsAlone");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[1].keys, IsEmpty());
  EXPECT_THAT(rows[3].keys, IsEmpty());
}

TEST_F(NastyRowsTest, Case07TrailingBlanksAreNoFeatures) {
  const std::vector<Row> rows = Rows("Case07TrailingBlanks");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 2));
  EXPECT_THAT(rows[1].keys, ElementsAre(1));
  EXPECT_THAT(rows[2].keys, ElementsAre(0));
}

TEST_F(NastyRowsTest, Case08RunsOfBlanksAndTabsSeparate) {
  const std::vector<Row> rows = Rows("Case08BlanksAndTabs");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 2));
  EXPECT_EQ(rows[1].label, 0);
  EXPECT_EQ(rows[2].label, 1);
}

TEST_F(NastyRowsTest, Case09CarriageReturnsDoNotMatter) {
  const std::vector<Row> rows = Rows("Case09CarriageReturns");
  ASSERT_THAT(rows, SizeIs(4));
  for (const Row& row : rows) EXPECT_THAT(row.keys, ElementsAre(0, 1));
  EXPECT_EQ(rows[3].values.back(), 1);
}

TEST_F(NastyRowsTest, Case10TheLastLineNeedsNoEnd) {
  const std::vector<Row> rows = Rows("Case10NoLastLineEnd");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_EQ(rows[3].values.back(), 1);
}

TEST_F(NastyRowsTest, Case11PartsOfAFolderDoNotRunTogether) {
  const std::vector<Row> rows = Rows("Case11PartsOfAFolder");
  ASSERT_THAT(rows, SizeIs(3));
  for (const Row& row : rows) EXPECT_THAT(row.keys, ElementsAre(1, 2, 3));
  EXPECT_THAT(Rows("Case11AsLibsvm"), IsEmpty());  // Each of the three is bad, none is glued.
}

TEST_F(NastyRowsTest, Case12AByteOrderMarkAtTheStartIsIgnored) {
  const std::vector<Row> rows = Rows("Case12ByteOrderMarkAtTheStart");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, 1);
  EXPECT_THAT(rows[0].values, ElementsAre(0.5f));
  EXPECT_EQ(rows[1].label, 0);
  EXPECT_THAT(rows[1].values, ElementsAre(0.25f));
}

TEST_F(NastyRowsTest, Case18AValueThatAFloatCannotHoldIsNamed) {
  const std::vector<Row> rows = Rows("Case18Skipped");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].values[0], 50233425598702010000.00f);
  EXPECT_THAT(rows[1].keys, ElementsAre(1));  // 1e-320 is zero in a float.
}

TEST_F(NastyRowsTest, Case19AllOfTheKeySpaceIsKeptApart) {
  const std::vector<Row> rows = Rows("Case19IndicesOf64Bits");
  ASSERT_THAT(rows, SizeIs(4));
  EXPECT_THAT(rows[0].keys, ElementsAre(4294967295u, 4294967296u, 4294967297u));
  EXPECT_THAT(rows[1].keys, ElementsAre(72048431380967004u));
  EXPECT_THAT(rows[2].keys, ElementsAre(9223372036854775808u));
  EXPECT_THAT(rows[3].keys, ElementsAre(18446744073709551615u));
}

TEST_F(NastyRowsTest, Case22QidIsNoFeature) {
  const std::vector<Row> rows = Rows("Case22Qid");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(0, 4));
  EXPECT_THAT(rows[2].keys, ElementsAre(0));
}

TEST_F(NastyRowsTest, Case23TextAfterAHashIsIgnored) {
  const std::vector<Row> rows = Rows("Case23Comments");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, ElementsAre(0));
  EXPECT_THAT(rows[1].keys, ElementsAre(0));
}

TEST_F(NastyRowsTest, Case24FloatsOfEveryDecimalFormAndNoHexadecimalOnes) {
  const std::vector<Row> rows = Rows("Case24Skipped");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].values, ElementsAre(0.00017065995780200002f, 0.000170659957802f));
  EXPECT_THAT(rows[1].values, ElementsAre(6.2699720e-02f, 2.6864e-05f, 1.592E-05f, .5f, 5.f));
}

TEST_F(NastyRowsTest, Case25BinaryLabelsHaveAStatedMapping) {
  const std::vector<Row> rows = Rows("Case25MixedLabels");
  ASSERT_THAT(rows, SizeIs(5));
  std::vector<float> labels;
  for (const Row& row : rows) labels.push_back(row.label);
  EXPECT_THAT(labels, ElementsAre(1, 0, 1, 0, 1));
}

TEST_F(NastyRowsTest, Case28QuotesAreThoseOfRfc4180) {
  const std::vector<Row> rows = Rows("Case28QuotesOfRfc4180");
  ASSERT_THAT(rows, SizeIs(4));
  const auto text = [](const std::string& value) { return CategoryKey(1, value); };
  const std::vector<std::string> texts = {"This text contains comma, within quotes.",
                                          "he said \"ok\"", "two\nlines",
                                          "unquoted \"inner\" quote"};
  for (size_t i = 0; i < rows.size(); ++i) {
    EXPECT_EQ(rows[i].label, i % 2 == 0 ? 1 : 0);
    EXPECT_EQ(rows[i].keys[0], 0u);
    EXPECT_EQ(rows[i].values[0], static_cast<float>(i + 1));
    EXPECT_THAT(rows[i].keys, Contains(text(texts[i])));
    EXPECT_THAT(rows[i].keys, SizeIs(i == 2 ? 2 : 3));  // The third has no income.
  }
  EXPECT_THAT(rows[0].keys, Contains(CategoryKey(2, "$  40,000 - $49,999")));
}

TEST_F(NastyRowsTest, Case29MissingTokensAreAnOption) {
  const std::vector<Row> rows = Rows("Case29AllStated");
  ASSERT_THAT(rows, SizeIs(3));
  EXPECT_THAT(rows[0].keys, ElementsAre(3));
  EXPECT_THAT(rows[1].keys, ElementsAre(1, 2, 3));
  EXPECT_THAT(rows[2].keys, ElementsAre(1));
  // A category that is missing is none, and another than zero.
  const std::vector<Row> categories = Rows("Case29Categories");
  EXPECT_THAT(categories[0].keys, ElementsAre(CategoryKey(3, "3")));
}

TEST_F(NastyRowsTest, Case32AHeaderIsAnOption) {
  const std::vector<Row> rows = Rows("Case32HeaderStated");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_EQ(rows[0].label, 1);
  EXPECT_THAT(rows[0].keys, ElementsAre(1, 2));
  EXPECT_THAT(rows[1].values, ElementsAre(0.25f, 3));
}

TEST_F(NastyRowsTest, Case34TrailingTabsAreColumns) {
  const std::vector<Row> rows = Rows("Case34TrailingTabs");
  ASSERT_THAT(rows, SizeIs(1));
  EXPECT_EQ(rows[0].label, 0);
  // I1, I3 and I5 are 0, missing and 2; I2 is -1.
  EXPECT_THAT(std::vector<uint64_t>(rows[0].keys.begin(), rows[0].keys.begin() + 3),
              ElementsAre(1, 2, 5));
  EXPECT_THAT(std::vector<float>(rows[0].values.begin(), rows[0].values.begin() + 3),
              ElementsAre(3, -1, 2));
  EXPECT_THAT(rows[0].fields, Contains(37));
  EXPECT_THAT(rows[0].fields, Not(Contains(38)));
  EXPECT_THAT(rows[0].fields, Not(Contains(39)));
}

TEST_F(NastyRowsTest, Case35FieldsOfAnySizeAndNoTokenOfTwoParts) {
  const std::vector<Row> rows = Rows("Case35Skipped");
  ASSERT_THAT(rows, SizeIs(5));
  EXPECT_THAT(rows[0].keys, ElementsAre(82, 221, 395));
  EXPECT_THAT(rows[0].fields, ElementsAre(2, 8, 11));
  EXPECT_THAT(rows[0].values, ElementsAre(17597, 51385, 838056));
  EXPECT_THAT(rows[1].keys, ElementsAre(5, 6));  // The zero is absent.
  EXPECT_THAT(rows[2].fields, ElementsAre(99999));
  EXPECT_THAT(rows[3].keys, ElementsAre(1));
  EXPECT_THAT(rows[3].values, ElementsAre(2));
  EXPECT_THAT(rows[4].keys, IsEmpty());
}

TEST_F(NastyRowsTest, Case37OneClassReads) {
  for (const Row& row : Rows("Case37OneClass")) EXPECT_EQ(row.label, 0);
}

TEST_F(NastyRowsTest, Case38ALateLargestIndexIsFound) {
  uint64_t largest = 0;
  const std::vector<Row> rows = Rows("Case38LateLargestIndex");
  EXPECT_THAT(rows, SizeIs(31));
  for (const Row& row : rows) {
    if (!row.keys.empty()) largest = std::max(largest, row.keys.back());
  }
  EXPECT_EQ(largest, 499999u);
}

TEST_F(NastyRowsTest, Case44ALongLineIsOneRow) {
  const std::vector<Row> rows = Rows("Case44LongLine");
  ASSERT_THAT(rows, SizeIs(2));
  EXPECT_THAT(rows[0].keys, SizeIs(20000));
  EXPECT_THAT(rows[1].keys, SizeIs(1));
}

}  // namespace
}  // namespace seraph
