// SPDX-License-Identifier: Apache-2.0
#include "worker/data/epoch_reader.h"

#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

// Blocks that know their rows and hold no file: row r of block b is key 10000 * b + r; every row
// whose key ends in 7 is bad.
class CountingDataSet : public DataSet {
 public:
  CountingDataSet(uint32_t blocks, uint64_t bytes) {
    for (uint32_t b = 0; b < blocks; ++b) {
      index_.blocks.push_back(
          {.file = 0, .offset = 0, .bytes = bytes, .first_line = 1, .rows = 100});
      index_.rows += 100;
    }
    for (uint32_t b = 0; b < blocks; ++b) index_.blocks[b].offset = b;
  }
  const DataIndex& index() const { return index_; }
  absl::StatusOr<DataIndex> BuildIndex() const override { return index_; }
  absl::Status ForEachBlock(const std::function<absl::Status(const Block&)>&) const override {
    return absl::UnimplementedError("not used");
  }
  absl::StatusOr<std::vector<FeatureScale>> FitScales(
      const DataIndex&, ScaleRule::Method, const HoldOut*,
      const std::function<absl::Status()>&) const override {
    return absl::UnimplementedError("not used");
  }
  absl::Status SetScaler(Scaler) override { return absl::UnimplementedError("not used"); }
  absl::Status ReadBlock(const Block&, absl::Span<const uint32_t>,
                         const std::function<absl::Status(uint32_t, const Row&)>&) const override {
    return absl::UnimplementedError("not used");
  }
  absl::Status LoadBlock(const Block& block, LoadedBlock* loaded) const override {
    ++loads_[block.offset];
    std::vector<size_t> starts;
    for (uint32_t r = 0; r < block.rows; ++r) {
      starts.push_back(loaded->buffer.size());
      absl::StrAppend(&loaded->buffer, 10000 * block.offset + r, "\n");
      loaded->line_numbers.push_back(block.first_line + r);
    }
    const absl::string_view text = loaded->buffer;
    for (uint32_t r = 0; r < block.rows; ++r) {
      const size_t end = r + 1 < block.rows ? starts[r + 1] : text.size();
      loaded->records.push_back(text.substr(starts[r], end - starts[r] - 1));
    }
    return absl::OkStatus();
  }
  absl::StatusOr<bool> ParseRow(uint32_t, const LoadedBlock& loaded, uint32_t number,
                                Row* row) const override {
    row->keys = {std::stoull(std::string(loaded.records[number]))};
    return row->keys[0] % 10 != 7;
  }
  absl::Status ParseAnyRow(uint32_t, const LoadedBlock&, uint32_t, Row*) const override {
    return absl::UnimplementedError("not used");
  }
  uint64_t rows_skipped() const override { return 0; }

  const std::map<uint64_t, int>& loads() const { return loads_; }

 private:
  DataIndex index_;
  mutable std::map<uint64_t, int> loads_;
};

EpochOrder OrderOf(const DataIndex& index) {
  std::vector<uint32_t> blocks(index.blocks.size());
  std::iota(blocks.begin(), blocks.end(), 0);
  return EpochOrder(index, blocks, 7, 0);
}

TEST(EpochReaderTest, ReadsThePlacesOfTheOrderLoadingEachBlockOnce) {
  const CountingDataSet data(40, kWindowBytes / 8);
  const EpochOrder order = OrderOf(data.index());
  ASSERT_EQ(order.windows().size(), 5u);
  EpochReader reader(&data, &data.index(), order);
  ASSERT_EQ(reader.rows(), 4000u);
  uint64_t at = 0, holes = 0;
  Row row;
  for (size_t w = 0; w < order.windows().size(); ++w) {
    for (const RowPlace& place : order.RowsOf(w)) {
      const auto good = reader.Read(at++, &row);
      ASSERT_OK(good);
      EXPECT_EQ(row.keys[0], 10000u * order.windows()[w].blocks[place.slot] + place.row);
      holes += !*good;
    }
  }
  EXPECT_EQ(holes, 400u);
  EXPECT_EQ(data.loads().size(), 40u);
  for (const auto& [block, times] : data.loads()) EXPECT_EQ(times, 1);
}

TEST(EpochReaderTest, GoesBackToAnEarlierWindow) {
  const CountingDataSet data(40, kWindowBytes / 8);
  EpochReader reader(&data, &data.index(), OrderOf(data.index()));
  Row first, last, again;
  ASSERT_OK(reader.Read(0, &first));
  ASSERT_OK(reader.Read(3999, &last));
  ASSERT_OK(reader.Read(0, &again));
  EXPECT_EQ(first.keys, again.keys);
  EXPECT_NE(first.keys, last.keys);
}

TEST(EpochReaderTest, APlaceBeyondTheEpochIsAnError) {
  const CountingDataSet data(2, 100);
  EpochReader reader(&data, &data.index(), OrderOf(data.index()));
  Row row;
  EXPECT_THAT(reader.Read(200, &row),
              StatusIs(absl::StatusCode::kOutOfRange, ::testing::HasSubstr("row 200")));
  EpochReader empty(&data, &data.index(), EpochOrder(data.index(), {}, 7, 0));
  EXPECT_FALSE(empty.Read(0, &row).ok());
}

// The ranks' slices of each joint batch, read by readers of their own, are the rows of one reader.
TEST(EpochReaderTest, SlicesOfRanksMakeUpTheEpochOfAFile) {
  const std::string path = ::testing::TempDir() + "/epoch_reader.dummy";
  {
    std::ofstream file(path);
    for (int i = 0; i < 5000; ++i) file << i % 2 << " " << i << "\n";
  }
  const auto data =
      DataSet::Open({{.path = path, .format = {.format = "dummy", .index_base = {}}}},
                    {.labels = LabelMap::Binary(), .bad_rows = {}, .spill_folder = {}})
          .value();
  const DataIndex index = data->BuildIndex().value();
  const auto read = [&](uint32_t workers) {
    std::vector<EpochReader> readers;
    for (uint32_t w = 0; w < workers; ++w) readers.emplace_back(data.get(), &index, OrderOf(index));
    std::vector<uint64_t> keys;
    Row row;
    constexpr uint64_t kJointBatch = 300;
    for (uint64_t begin = 0; begin < index.rows; begin += kJointBatch) {
      const uint64_t rows = std::min(kJointBatch, index.rows - begin);
      for (uint32_t w = 0; w < workers; ++w) {
        const Slice slice = SliceOf(rows, w, workers);
        for (uint64_t i = slice.begin; i < slice.end; ++i) {
          EXPECT_TRUE(readers[w].Read(begin + i, &row).value());
          keys.push_back(row.keys[0]);
        }
      }
    }
    return keys;
  };
  const std::vector<uint64_t> one = read(1);
  EXPECT_EQ(one, read(3));
  std::vector<uint64_t> sorted = one;
  std::sort(sorted.begin(), sorted.end());
  for (uint64_t i = 0; i < 5000; ++i) EXPECT_EQ(sorted[i], i);
}

}  // namespace
}  // namespace seraph
