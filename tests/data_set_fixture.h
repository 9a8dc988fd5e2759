// SPDX-License-Identifier: Apache-2.0
// What tests of data sets share: a folder to write files to, and rows read back as text.
#ifndef SERAPH_TESTS_DATA_SET_FIXTURE_H_
#define SERAPH_TESTS_DATA_SET_FIXTURE_H_

#include <zlib.h>
#include <zstd.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/data/data_set.h"

namespace seraph {

inline std::string Gzip(const std::string& text) {
  z_stream stream{};
  deflateInit2(&stream, Z_BEST_SPEED, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string out(text.size() + 1024, '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(out.data());
  stream.avail_out = static_cast<uInt>(out.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  out.resize(stream.total_out);
  deflateEnd(&stream);
  return out;
}

inline std::string Zstd(const std::string& text) {
  ZSTD_CCtx* const context = ZSTD_createCCtx();
  ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
  std::string out(ZSTD_compressBound(text.size()), '\0');
  const size_t size = ZSTD_compress2(context, out.data(), out.size(), text.data(), text.size());
  EXPECT_FALSE(ZSTD_isError(size));
  out.resize(size);
  ZSTD_freeCCtx(context);
  return out;
}

// A folder of its own for each test.
class DataSetFixture : public ::testing::Test {
 protected:
  DataSetFixture()
      : folder_(absl::StrCat(::testing::TempDir(), "/data_set_",
                             ::testing::UnitTest::GetInstance()->current_test_info()->name())) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  ~DataSetFixture() override { std::filesystem::remove_all(folder_); }

  std::string Path(const std::string& name) const { return folder_ + "/" + name; }

  std::string Write(const std::string& name, const std::string& bytes) const {
    std::ofstream(Path(name), std::ios::binary) << bytes;
    return Path(name);
  }

  DataFile Libsvm(const std::string& path) const {
    return {.path = path, .format = {.format = "libsvm", .index_base = 1}};
  }

  DataSet::Options Options() const {
    return {.labels = LabelMap::Binary(), .bad_rows = {}, .spill_folder = folder_};
  }

  std::unique_ptr<DataSet> Open(const std::string& path) const { return Open(Libsvm(path)); }

  std::unique_ptr<DataSet> Open(const DataFile& file) const {
    auto data = DataSet::Open({file}, Options());
    EXPECT_OK(data);
    return std::move(data).value();
  }

  absl::Status OpenError(const std::string& path) const {
    return DataSet::Open({Libsvm(path)}, Options()).status();
  }

  // Rows of all blocks as "label key=value ...".
  static absl::StatusOr<std::vector<std::string>> ReadAll(const DataSet& data) {
    absl::StatusOr<DataIndex> index = data.BuildIndex();
    if (!index.ok()) return index.status();
    std::vector<std::string> rows;
    for (const Block& block : index->blocks) {
      const absl::Status status = data.ReadBlock(block, {}, [&](uint32_t, const Row& row) {
        rows.push_back(absl::StrCat(row.label));
        for (size_t i = 0; i < row.keys.size(); ++i) {
          absl::StrAppend(&rows.back(), " ", row.keys[i], "=", row.values[i]);
        }
        return absl::OkStatus();
      });
      if (!status.ok()) return status;
    }
    return rows;
  }

  std::vector<std::string> Rows(const std::string& path) const {
    auto rows = ReadAll(*Open(path));
    EXPECT_OK(rows);
    return rows.value_or(std::vector<std::string>{});
  }

  const std::string folder_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_DATA_SET_FIXTURE_H_
