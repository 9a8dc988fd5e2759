// SPDX-License-Identifier: Apache-2.0
// What a data set adds to parsed rows: hashed keys, fields or none, weights from a side file.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_replace.h"
#include "gtest/gtest.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"
#include "worker/data/category_key.h"

namespace seraph {
namespace {

absl::Status GoOn() { return absl::OkStatus(); }

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;

class DataSetKeysTest : public DataSetFixture {
 protected:
  static absl::StatusOr<std::vector<Row>> RowsOf(const DataSet& data) {
    absl::StatusOr<DataIndex> index = data.BuildIndex();
    if (!index.ok()) return index.status();
    std::vector<Row> rows;
    for (const Block& block : index->blocks) {
      const absl::Status status = data.ReadBlock(block, {}, [&](uint32_t, const Row& row) {
        rows.push_back(row);
        return absl::OkStatus();
      });
      if (!status.ok()) return status;
    }
    return rows;
  }

  absl::StatusOr<std::vector<Row>> Read(const std::vector<DataFile>& files,
                                        const DataSet::Options& options) const {
    auto data = DataSet::Open(files, options);
    if (!data.ok()) return data.status();
    return RowsOf(**data);
  }

  // Weights of all rows of the files, which share the weights file.
  absl::StatusOr<std::vector<float>> Weights(std::vector<DataFile> files,
                                             const std::string& weights) const {
    for (DataFile& file : files) file.weights = weights;
    auto rows = Read(files, Options());
    if (!rows.ok()) return rows.status();
    std::vector<float> read;
    for (const Row& row : *rows) read.push_back(row.weight);
    return read;
  }

  static DataFile Libffm(const std::string& path) {
    return {.path = path, .format = {.format = "libffm", .index_base = 0}};
  }
};

TEST_F(DataSetKeysTest, HashBitsMapTheKeysOfEveryFormat) {
  DataSet::Options options = Options();
  options.hash_bits = 10;
  const auto rows = Read({Libsvm(Write("a", "1 8:2 18446744073709551615:3\n")),
                          {.path = Write("b", "1,2,red\n"),
                           .format = {.format = "csv", .columns = {.categorical = {"2"}}}}},
                         options);
  ASSERT_OK(rows);
  const uint64_t small = HashedKey(7, 10);
  const uint64_t large = HashedKey(18446744073709551614u, 10);
  ASSERT_NE(small, large);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(std::min(small, large), std::max(small, large)));
  EXPECT_THAT((*rows)[0].values, ElementsAre(small < large ? 2 : 3, small < large ? 3 : 2));
  EXPECT_THAT((*rows)[1].keys, ElementsAre(HashedKey(CategoryKey(2, "red"), 10)));
}

TEST_F(DataSetKeysTest, KeysThatMeetAreSummed) {
  std::string row = "1";
  for (int i = 1; i <= 1000; ++i) absl::StrAppend(&row, " ", i, ":1");
  DataSet::Options options = Options();
  options.hash_bits = 4;
  const auto rows = Read({Libsvm(Write("a", row + "\n"))}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15));
  float sum = 0;
  for (const float value : (*rows)[0].values) sum += value;
  EXPECT_EQ(sum, 1000);
}

TEST_F(DataSetKeysTest, AHashOfMoreBitsThanThereAreIsRefused) {
  DataSet::Options options = Options();
  options.hash_bits = 65;
  EXPECT_THAT(DataSet::Open({Libsvm(Write("a", "1 1:1\n"))}, options),
              StatusIs(kInvalid, HasSubstr("hash_bits is 65")));
}

TEST_F(DataSetKeysTest, FieldsAreKeptWhereTheyAreWanted) {
  const DataFile file = Libffm(Write("a", "1 7:2:1 3:2:4 0:1:5\n0\n"));
  DataSet::Options options = Options();
  auto rows = Read({file}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(1, 2));
  EXPECT_THAT((*rows)[0].values, ElementsAre(5, 5));
  EXPECT_THAT((*rows)[0].fields, IsEmpty());
  options.fields = true;
  rows = Read({file}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(1, 2, 2));
  EXPECT_THAT((*rows)[0].values, ElementsAre(5, 4, 1));
  EXPECT_THAT((*rows)[0].fields, ElementsAre(0, 3, 7));
  // Keys that meet stay apart when their fields differ.
  options.hash_bits = 1;
  rows = Read({Libffm(Write("b", "1 7:2:1 3:2:4 7:3:5 7:4:5 7:5:5\n"))}, options);
  ASSERT_OK(rows);
  ASSERT_THAT((*rows)[0].fields, SizeIs((*rows)[0].keys.size()));
  EXPECT_LE((*rows)[0].keys.size(), 4u);
}

TEST_F(DataSetKeysTest, FieldsAreNumberedWhereTheFormatHasNone) {
  DataFile file = Libsvm(Write("a", "1 9:1 3:2 4:0\n0\n"));
  DataSet::Options options = Options();
  options.fields = true;
  auto rows = Read({file}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].fields, IsEmpty());
  file.format.fields = {"position"};
  rows = Read({file}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(2, 8));
  EXPECT_THAT((*rows)[0].fields, ElementsAre(1, 0));
  // By the key, not by what it is hashed to.
  file.format.fields = {"8..9", "0..2"};
  options.hash_bits = 60;
  rows = Read({file}, options);
  ASSERT_OK(rows);
  ASSERT_THAT((*rows)[0].keys, SizeIs(2));
  const size_t nine = (*rows)[0].keys[0] == HashedKey(8, 60) ? 0 : 1;
  EXPECT_EQ((*rows)[0].fields[nine], 0u);
  EXPECT_EQ((*rows)[0].fields[1 - nine], 1u);
}

TEST_F(DataSetKeysTest, FieldsOfColumnsAreTheirPositionsOrTheirRanges) {
  DataFile file{
      .path = Write("a", "1,0,2,red\n"),
      .format = {.format = "csv", .columns = {.numeric = {"1..2"}, .categorical = {"3"}}}};
  DataSet::Options options = Options();
  options.fields = true;
  const std::vector<std::vector<std::string>> stated = {{}, {"position"}, {"0..1", "2..3"}};
  for (const std::vector<std::string>& fields : stated) {
    file.format.fields = fields;
    const auto rows = Read({file}, options);
    ASSERT_OK(rows);
    EXPECT_THAT((*rows)[0].keys, ElementsAre(2, CategoryKey(3, "red")));
    EXPECT_THAT((*rows)[0].fields, fields.size() == 2 ? ElementsAre(1, 1) : ElementsAre(2, 3));
  }
}

TEST_F(DataSetKeysTest, AKeyInNoFieldIsABadRow) {
  DataFile file = Libsvm(Write("a", "1 1:1\n0 9:1\n"));
  file.format.fields = {"0..7"};
  DataSet::Options options = Options();
  options.fields = true;
  EXPECT_THAT(Read({file}, options),
              StatusIs(kInvalid, HasSubstr(Path("a") + ":2: key 8 is in none of the ranges of "
                                                       "data.fields")));
  options.fields = false;  // Of no interest to the model.
  EXPECT_OK(Read({file}, options));
}

TEST_F(DataSetKeysTest, ScalesAreMeasuredInTheDataAndAppliedToIt) {
  const DataFile file{
      .path = Write("a", "1,0,red,2\n0,4,red,\n1,8,blue,2\n"),
      .format = {.format = "csv", .columns = {.numeric = {"1", "3"}, .categorical = {"2"}}}};
  auto data = std::move(DataSet::Open({file}, Options())).value();
  const auto scales =
      data->FitScales(data->BuildIndex().value(), ScaleRule::Method::kMinMax, nullptr, GoOn);
  ASSERT_OK(scales);
  EXPECT_THAT(*scales, ElementsAre(FeatureScale{1, 0, 8}, FeatureScale{3, 2, 1}));
  const std::vector<FeatureScale> shifted = {{1, 8, 8}, {3, 1, 2}};
  ASSERT_OK(data->SetScaler(Scaler::ByKey(shifted).value()));
  const auto rows = RowsOf(*data);
  ASSERT_OK(rows);
  // A zero is scaled, a missing value stays absent, what comes out as zero is absent.
  EXPECT_THAT((*rows)[0].keys, ElementsAre(1, 3, CategoryKey(2, "red")));
  EXPECT_THAT((*rows)[0].values, ElementsAre(-1, .5f, 1));
  EXPECT_THAT((*rows)[1].values, ElementsAre(-.5f, 1));
  EXPECT_THAT((*rows)[2].keys, ElementsAre(3, CategoryKey(2, "blue")));
}

TEST_F(DataSetKeysTest, AWrittenZeroHasTheFieldOfItsColumn) {
  DataFile file{.path = Write("a", "1,0,5\n0,4,0\n"), .format = {.format = "csv"}};
  file.format.fields = {"1..2"};
  DataSet::Options options = Options();
  options.fields = true;
  const std::vector<FeatureScale> scales = {{1, 2, 1}};
  options.scaler = Scaler::ByKey(scales).value();
  const auto rows = Read({file}, options);
  ASSERT_OK(rows);
  EXPECT_THAT((*rows)[0].keys, ElementsAre(1, 2));
  EXPECT_THAT((*rows)[0].values, ElementsAre(-2, 5));
  EXPECT_THAT((*rows)[0].fields, ElementsAre(0, 0));
  EXPECT_THAT((*rows)[1].keys, ElementsAre(1));  // What no scale moves from zero is no feature.
}

TEST_F(DataSetKeysTest, RowsHeldOutAreNotMeasured) {
  std::string text;
  for (int i = 1; i <= 200; ++i) absl::StrAppend(&text, "1 1:", i, "\n");
  auto data = std::move(DataSet::Open({Libsvm(Write("a", text))}, Options())).value();
  const DataIndex index = data->BuildIndex().value();
  // A seed that holds out the row with the largest value.
  uint64_t seed = 1;
  while (!HoldOut(index, 0.5, seed).Has(0, 199)) ++seed;
  const HoldOut held_out(index, 0.5, seed);
  double largest = 0;
  for (uint32_t row = 0; row < 200; ++row) {
    if (!held_out.Has(0, row)) largest = row + 1;
  }
  const auto scales = data->FitScales(index, ScaleRule::Method::kMinMax, &held_out, GoOn);
  ASSERT_OK(scales);
  EXPECT_THAT(*scales, ElementsAre(FeatureScale{0, 0, largest}));
  EXPECT_THAT(data->FitScales(index, ScaleRule::Method::kMinMax, nullptr,
                              [] { return absl::CancelledError("enough"); }),
              StatusIs(absl::StatusCode::kCancelled, HasSubstr("enough")));
}

TEST_F(DataSetKeysTest, IndicesAreMeasuredAndScaledByTheirHashedKeys) {
  DataSet::Options options = Options();
  options.hash_bits = 1;  // What meets is summed, then measured.
  std::string row = "1";
  for (int i = 1; i <= 30; ++i) absl::StrAppend(&row, " ", i, ":2");
  auto data = std::move(DataSet::Open({Libsvm(Write("a", row + "\n0\n"))}, options)).value();
  const auto scales =
      data->FitScales(data->BuildIndex().value(), ScaleRule::Method::kMinMax, nullptr, GoOn);
  ASSERT_OK(scales);
  ASSERT_THAT(*scales, SizeIs(2));
  EXPECT_EQ((*scales)[0].divisor + (*scales)[1].divisor, 60);
  ASSERT_OK(data->SetScaler(Scaler::ByKey(*scales).value()));
  EXPECT_THAT(RowsOf(*data).value()[0].values, ElementsAre(1, 1));
}

TEST_F(DataSetKeysTest, BadRowsAreNotMeasured) {
  const std::string text = "1 1:2\n7 1:100\n0 x\n0 1:4\n";
  DataSet::Options options = Options();
  auto data = std::move(DataSet::Open({Libsvm(Write("a", text))}, options)).value();
  EXPECT_THAT(
      data->FitScales(data->BuildIndex().value(), ScaleRule::Method::kMinMax, nullptr, GoOn),
      StatusIs(kInvalid, HasSubstr("a:2: label 7")));
  options.bad_rows.skip = true;
  data = std::move(DataSet::Open({Libsvm(Path("a"))}, options)).value();
  const auto scales =
      data->FitScales(data->BuildIndex().value(), ScaleRule::Method::kMinMax, nullptr, GoOn);
  ASSERT_OK(scales);
  EXPECT_THAT(*scales, ElementsAre(FeatureScale{0, 0, 4}));
}

TEST_F(DataSetKeysTest, OffsetsAreNotForIndices) {
  const DataFile csv{.path = Write("b", "1,2\n"), .format = {.format = "csv"}};
  DataSet::Options options = Options();
  const std::vector<FeatureScale> scales = {{0, 1, 1}};
  options.scaler = Scaler::ByKey(scales).value();
  EXPECT_OK(DataSet::Open({csv}, options));
  EXPECT_THAT(DataSet::Open({Libsvm(Write("a", "1 1:2\n"))}, options),
              StatusIs(kInvalid, HasSubstr("a has rows of indices")));
  auto mixed = std::move(DataSet::Open({csv, Libsvm(Path("a"))}, Options())).value();
  EXPECT_THAT(
      mixed->FitScales(mixed->BuildIndex().value(), ScaleRule::Method::kStandard, nullptr, GoOn),
      StatusIs(kInvalid, HasSubstr("scaled unlike")));
}

TEST_F(DataSetKeysTest, ASideFileWeighsTheRowsOfAllFilesThatNameIt) {
  const DataFile a = Libsvm(Write("a", "1 1:1\n\n# none\n0 1:1\n"));
  const DataFile b = Libsvm(Write("b.gz", Gzip("1 1:1\n")));
  const std::string text = "1.5\n\n 0 \r\n1e-3";
  EXPECT_THAT(*Weights({a, b}, Write("w", text)), ElementsAre(1.5f, 0, 1e-3f));
  EXPECT_THAT(*Weights({a, b}, Write("w.zst", Zstd(text))), ElementsAre(1.5f, 0, 1e-3f));
}

TEST_F(DataSetKeysTest, RowsKeepTheirWeightsWhateverTheBlock) {
  std::string rows, weights;
  for (int i = 0; i < 50000; ++i) {
    absl::StrAppend(&rows, i % 2, " ", i + 1, ":1\n");
    absl::StrAppend(&weights, i, "\n");
  }
  DataFile file = Libsvm(Write("a", rows));
  file.weights = Write("w", weights);
  const auto read = Read({file}, Options());
  ASSERT_OK(read);
  ASSERT_THAT(*read, SizeIs(50000));
  for (const Row& row : *read) ASSERT_EQ(row.weight, static_cast<float>(row.keys[0]));
}

TEST_F(DataSetKeysTest, ABadRowHasAWeightToo) {
  DataFile file = Libsvm(Write("a", "1 1:1\nbad\n0 2:1\n"));
  file.weights = Write("w", "1\n2\n3\n");
  DataSet::Options options = Options();
  options.bad_rows.skip = true;
  const auto rows = Read({file}, options);
  ASSERT_OK(rows);
  ASSERT_THAT(*rows, SizeIs(2));
  EXPECT_EQ((*rows)[1].weight, 3);
}

TEST_F(DataSetKeysTest, AnotherNumberOfWeightsThanRowsIsNamed) {
  const DataFile file = Libsvm(Write("a", "1 1:1\n0 1:1\n"));
  for (const std::string text : {"1\n", "1\n2\n3\n", ""}) {
    const std::string weights = Write("w", text);
    EXPECT_THAT(Weights({file}, weights),
                StatusIs(kInvalid, AllOf(HasSubstr("weights file " + weights),
                                         HasSubstr("the data that it belongs to has 2 rows"))))
        << text;
  }
}

TEST_F(DataSetKeysTest, WeightsThatAreNoneAreNamedByLine) {
  const DataFile file = Libsvm(Write("a", "1 1:1\n0 1:1\n"));
  for (const std::string text : {"-1", "nan", "inf", "-inf", "1e39", "x", "1 2", "-1e-30"}) {
    const std::string weights = Write("w", absl::StrCat("1\n\n", text, "\n"));
    EXPECT_THAT(Weights({file}, weights),
                StatusIs(kInvalid, HasSubstr(absl::StrCat(
                                       weights, ":3: weight `",
                                       absl::StrReplaceAll(text, {{" ", "\\x20"}}), "`"))));
  }
  EXPECT_THAT(Weights({file}, Path("none")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
}

TEST_F(DataSetKeysTest, AFileMayHaveLabelsOfItsOwn) {
  DataFile numbers = Libsvm(Write("a", "2 1:1\n1 1:1\n"));
  numbers.format.labels = {.positive = {"2"}, .negative = {"1"}};
  const DataFile texts{
      .path = Write("b", "yes,1\nno,2\n"),
      .format = {.format = "csv", .labels = {.positive = {"yes"}, .negative = {"no"}}}};
  const DataFile usual = Libsvm(Write("c", "-1 1:1\n"));
  const auto labels = [this](const std::vector<DataFile>& files, const DataSet::Options& options) {
    std::vector<float> found;
    const auto rows = Read(files, options);
    EXPECT_OK(rows);
    for (const Row& row : *rows) found.push_back(row.label);
    return found;
  };
  EXPECT_THAT(labels({numbers, texts, usual}, Options()), ElementsAre(1, 0, 1, 0, 0));
  DataSet::Options as_they_are = Options();
  as_they_are.labels = LabelMap::Regression();
  EXPECT_THAT(labels({numbers, usual}, as_they_are), ElementsAre(2, 1, -1));
}

TEST_F(DataSetKeysTest, ClassesWeighTheirRows) {
  DataFile file = Libsvm(Write("a", "1 1:1\n-1 1:1\n0 1:1\n"));
  DataSet::Options options = Options();
  options.class_weights = {.5, 3};
  const auto weights = [&] {
    std::vector<float> found;
    const auto rows = Read({file}, options);
    EXPECT_OK(rows);
    for (const Row& row : *rows) found.push_back(row.weight);
    return found;
  };
  EXPECT_THAT(weights(), ElementsAre(3, .5f, .5f));
  file.weights = Write("w", "2\n4\n0\n");
  EXPECT_THAT(weights(), ElementsAre(6, 2, 0));
  options.class_weights = {.5};  // Class 1 is left out.
  EXPECT_THAT(weights(), ElementsAre(2, 2, 0));
  options.class_weights = {1, 1e38};
  Write("w", "2\n4\n1e10\n");
  EXPECT_OK(Read({file}, options));
  Write("w", "1e10\n4\n1\n");
  EXPECT_THAT(Read({file}, options), StatusIs(kInvalid, HasSubstr("a:1: the weight, multiplied")));
}

TEST_F(DataSetKeysTest, WithoutWeightsRowsWeighOne) {
  const auto rows = Read({Libsvm(Write("a", "1 1:1\n0 1:1\n"))}, Options());
  ASSERT_OK(rows);
  for (const Row& row : *rows) EXPECT_EQ(row.weight, 1);
}

}  // namespace
}  // namespace seraph
