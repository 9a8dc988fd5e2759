// SPDX-License-Identifier: Apache-2.0
// What is learned does not depend on how the rows are written down: format, compression, scaling.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_format.h"
#include "common/random.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/cluster/test_cluster.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::HasSubstr;

constexpr int kRows = 3000;
constexpr int kColumns = 300;

float ToFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

class DataTest : public DataSetFixture {
 protected:
  // Its model goes to a folder of its own.
  v1::JobSpec Job(const std::string& data, const std::string& more = "") const {
    return JobOf(absl::StrCat(
        "model: {type: lr}\ntrain: {epochs: 2, batch_size: 100}\ndata: ", data, "\n", more));
  }

  static v1::JobDone Train(const v1::JobSpec& job) {
    TestCluster cluster({.servers = 2, .workers = 2});
    const absl::StatusOr<v1::JobDone> done = cluster.Run(job);
    EXPECT_OK(done);
    return done.value_or(v1::JobDone());
  }

  static ModelBits Bits(const v1::JobSpec& job) {
    const v1::JobDone done = Train(job);
    EXPECT_EQ(done.status(), v1::JobDone::SUCCEEDED) << done.error();
    return ReadModelBits(job.output().model());
  }
};

// Rows of ones, with the label behind the columns in csv: column j is key j.
TEST_F(DataTest, TheSameRowsInFourFormatsAreTheSameModel) {
  SplitMix64 random(7);
  std::string libsvm, dummy, csv;
  for (int r = 0; r < kRows; ++r) {
    const bool positive = random.NextUnit() < .3;
    absl::StrAppend(&libsvm, positive ? "1" : "-1");
    absl::StrAppend(&dummy, positive ? "+1" : "0");
    for (int j = 0; j < kColumns; ++j) {
      const bool set = random.NextUnit() < (positive ? .04 : .03);
      if (set) absl::StrAppend(&libsvm, " ", j + 1, ":1");
      if (set) absl::StrAppend(&dummy, " ", j);
      absl::StrAppend(&csv, set ? "1," : "0,");
    }
    absl::StrAppend(&csv, positive ? 1 : 0, "\n");
    libsvm += '\n';
    dummy += '\n';
  }
  const ModelBits bits =
      Bits(Job(absl::StrCat("{train: ", Write("a", libsvm), ", format: libsvm, index_base: 1}")));
  EXPECT_EQ(bits.size(), kColumns + 1u);
  EXPECT_EQ(Bits(Job(absl::StrCat("{train: ", Write("b", dummy), ", format: dummy}"))), bits);
  const std::string columns = ", format: csv, columns: {label: -1}}";
  EXPECT_EQ(Bits(Job(absl::StrCat("{train: ", Write("c", csv), columns))), bits);
  EXPECT_EQ(Bits(Job(absl::StrCat("{train: ", Write("c.gz", Gzip(csv)), columns))), bits);
  EXPECT_EQ(Bits(Job(absl::StrCat("{train: ", Write("c.zst", Zstd(csv)), columns))), bits);
}

// Two numeric columns, one constant column, one category; the label last.
struct Table {
  std::vector<std::vector<double>> numbers;  // By row.
  std::vector<std::string> ends;             // ",red,1\n"
};

Table RandomTable() {
  SplitMix64 random(11);
  Table table;
  for (int r = 0; r < kRows; ++r) {
    const bool positive = random.NextUnit() < .5;
    table.numbers.push_back({static_cast<double>(random.NextBelow(50)) + (positive ? 5 : 0),
                             1000 + static_cast<double>(random.NextBelow(7)), 3});
    table.ends.push_back(
        absl::StrCat(random.NextBelow(2) == 0 ? ",red," : ",blue,", positive ? "1" : "0", "\n"));
  }
  return table;
}

std::string Csv(const Table& table, const std::vector<double>& offsets,
                const std::vector<double>& divisors) {
  std::string text;
  for (size_t r = 0; r < table.numbers.size(); ++r) {
    for (size_t j = 0; j < 3; ++j) {
      const double value = (table.numbers[r][j] - offsets[j]) / divisors[j];
      absl::StrAppendFormat(&text, "%s%.17g", j > 0 ? "," : "", value);
    }
    text += table.ends[r];
  }
  return text;
}

constexpr char kColumnsOfTable[] =
    ", format: csv, columns: {label: -1, numeric: [[0, 2]], categorical: [3]}";

TEST_F(DataTest, ScaledColumnsAreLearnedAsIfTheyStoodScaledInTheFile) {
  const Table table = RandomTable();
  std::vector<double> mean(3), deviation(3), least(3, 1e9), most(3, -1e9), range(3);
  for (size_t j = 0; j < 3; ++j) {
    for (const auto& row : table.numbers) {
      mean[j] += row[j] / kRows;
      least[j] = std::min(least[j], row[j]);
      most[j] = std::max(most[j], row[j]);
    }
    for (const auto& row : table.numbers) {
      deviation[j] += (row[j] - mean[j]) * (row[j] - mean[j]) / kRows;
    }
    deviation[j] = std::sqrt(deviation[j]);
    range[j] = most[j] - least[j];
  }
  mean[2] = 3;
  deviation[2] = range[2] = 1;
  const std::string raw = Write("raw", Csv(table, {0, 0, 0}, {1, 1, 1}));
  const auto scaled = [&](const std::string& how) {
    return Bits(Job(absl::StrCat("{train: ", raw, kColumnsOfTable, ", scale: ", how, "}")));
  };
  const auto plain = [&](const std::vector<double>& offsets, const std::vector<double>& divisors) {
    return Bits(Job(
        absl::StrCat("{train: ", Write("s", Csv(table, offsets, divisors)), kColumnsOfTable, "}")));
  };
  EXPECT_EQ(scaled("16"), plain({0, 0, 0}, {16, 16, 16}));
  EXPECT_EQ(scaled("minmax"), plain(least, range));
  // Mean and deviation are computed in another way here.
  const ModelBits standard = scaled("standard"), reference = plain(mean, deviation);
  ASSERT_EQ(standard.size(), reference.size());
  for (const auto& [key, row] : reference) {
    EXPECT_NEAR(ToFloat(standard.at(key)[0]), ToFloat(row[0]), 1e-5) << key.second;
  }
  EXPECT_NE(standard, scaled("none"));
}

TEST_F(DataTest, AModelThatGoesOnKeepsItsScalesAndSoDoesEvaluation) {
  const Table table = RandomTable();
  const std::string raw = Write("raw", Csv(table, {0, 0, 0}, {1, 1, 1}));
  const std::string shifted = Write("shifted", Csv(table, {-70, 5, 0}, {2, 1, 1}));
  const std::string data = absl::StrCat(kColumnsOfTable, ", scale: standard}");
  const v1::JobSpec first = Job(absl::StrCat("{train: ", raw, ", test: ", raw, data));
  const v1::JobDone done = Train(first);
  EXPECT_GT(done.test().auc(), .55);
  // Nothing is learned any more; other training data would be scaled unlike.
  const v1::JobSpec second = Job(absl::StrCat("{train: ", shifted, ", test: ", raw, data),
                                 "optimizer: {learning_rate: 1e-30}");
  v1::JobSpec going_on = second;
  going_on.mutable_train()->set_start_from(first.output().model());
  EXPECT_EQ(Train(going_on).test().logloss(), done.test().logloss());
  v1::JobSpec unscaled = going_on;
  unscaled.mutable_data()->set_scale("none");
  EXPECT_THAT(Train(unscaled).error(),
              HasSubstr("it was trained with data.scale standard, the job has none"));
}

TEST_F(DataTest, ScaledIndicesAreLearnedAsIfTheyStoodScaledInTheFile) {
  SplitMix64 random(13);
  std::string raw = "1 3:-12 8:32 21:84\n", scaled = "1 3:-1 8:1 21:1\n";
  for (int r = 1; r < kRows; ++r) {
    const bool positive = random.NextUnit() < .5;
    absl::StrAppend(&raw, positive ? 1 : 0);
    absl::StrAppend(&scaled, positive ? 1 : 0);
    for (const int index : {3, 8, 21}) {
      if (random.NextUnit() < .5) continue;
      const int value = static_cast<int>(random.NextBelow(9)) - 4;
      absl::StrAppend(&raw, " ", index, ":", value * index);
      absl::StrAppend(&scaled, " ", index, ":", value / 4.0);
    }
    raw += "\n";
    scaled += "\n";
  }
  const auto bits = [this](const std::string& path, const std::string& how) {
    return Bits(
        Job(absl::StrCat("{train: ", path, ", format: libsvm, index_base: 1, scale: ", how, "}")));
  };
  EXPECT_EQ(bits(Write("raw", raw), "minmax"), bits(Write("scaled", scaled), "none"));
}

}  // namespace
}  // namespace seraph
