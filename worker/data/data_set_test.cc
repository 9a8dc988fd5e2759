// SPDX-License-Identifier: Apache-2.0
#include "worker/data/data_set.h"

#include <sys/stat.h>

#include <atomic>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/data_set_fixture.h"
#include "tests/status_matchers.h"
#include "worker/data/block_cutter.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr auto kInvalid = absl::StatusCode::kInvalidArgument;
constexpr auto kDataLoss = absl::StatusCode::kDataLoss;

using DataSetTest = DataSetFixture;

TEST_F(DataSetTest, ReadsRowsInFileOrder) {
  const std::string path = Write("a.libsvm", "1 1:2\n\n# none\n-1 3:1 2:4\n0");
  EXPECT_THAT(Rows(path), ElementsAre("1 0=2", "0 1=4 2=1", "0"));
}

TEST_F(DataSetTest, CarriageReturnsAndAMissingLastLineEndDoNotMatter) {
  EXPECT_THAT(Rows(Write("crlf", "1 1:1\r\n0 2:1\r\n\r\n")), ElementsAre("1 0=1", "0 1=1"));
  EXPECT_THAT(Rows(Write("no_end", "1 1:1\n0 2:1")), ElementsAre("1 0=1", "0 1=1"));
}

TEST_F(DataSetTest, AByteOrderMarkCountsAtTheStartOfAFileAlone) {
  EXPECT_THAT(Rows(Write("bom",
                         "\xef\xbb\xbf"
                         "1 1:1\n0 2:1\n")),
              ElementsAre("1 0=1", "0 1=1"));
  const std::string path = Write("bom2",
                                 "1 1:1\n\xef\xbb\xbf"
                                 "0 2:1\n");
  EXPECT_THAT(ReadAll(*Open(path)),
              StatusIs(kInvalid, StartsWith(path + ":2: label `\\xef\\xbb\\xbf0`")));
}

TEST_F(DataSetTest, AFileWithoutRowsIsNamed) {
  for (const std::string bytes : {"", "\n\n  \n", "# only this\n", "\xef\xbb\xbf"}) {
    const std::string path = Write("empty.libsvm", bytes);
    EXPECT_THAT(Open(path)->BuildIndex(),
                StatusIs(kInvalid, AllOf(HasSubstr(path), HasSubstr("no rows"))));
  }
}

TEST_F(DataSetTest, BlocksHoldAtMostTheirRowsAndBytes) {
  std::string text = "# head\n\n";
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&text, i % 2, " ", i + 1, ":1\n");
  for (int i = 0; i < 300; ++i) {  // Rows of 4 KiB.
    text += "1";
    for (int j = 0; j < 512; ++j) absl::StrAppend(&text, " ", 10000 + j, ":1");
    text += "\n";
  }
  const auto data = Open(Write("a.libsvm", text));
  const DataIndex index = data->BuildIndex().value();
  EXPECT_EQ(index.rows, 5300u);
  uint64_t rows = 0, end = 0;
  for (const Block& block : index.blocks) {
    EXPECT_GT(block.rows, 0u);
    EXPECT_LE(block.rows, kBlockRows);
    EXPECT_LE(block.bytes, kBlockBytes);
    EXPECT_GE(block.offset, end);
    end = block.offset + block.bytes;
    rows += block.rows;
  }
  EXPECT_EQ(rows, 5300u);
  EXPECT_EQ(index.blocks[0].first_line, 3u);
  EXPECT_EQ(index.blocks[0].rows, kBlockRows);
  EXPECT_EQ(ReadAll(*data).value().size(), 5300u);
}

TEST_F(DataSetTest, BlocksFoundOneByOneAreThoseOfTheIndex) {
  std::string text;
  for (int i = 0; i < 5000; ++i) absl::StrAppend(&text, i % 2, " ", i + 1, ":1\n");
  const std::string first = Write("a.libsvm", text);
  const std::string second = Write("b.libsvm", text.substr(0, text.size() / 3));
  const std::string empty = Write("c.libsvm", "# nothing\n");
  const auto data = DataSet::Open({Libsvm(first), Libsvm(second)}, Options()).value();
  const DataIndex index = data->BuildIndex().value();
  std::vector<Block> blocks;
  const auto keep = [&blocks](const Block& block) {
    blocks.push_back(block);
    return absl::OkStatus();
  };
  ASSERT_OK(data->ForEachBlock(keep));
  ASSERT_EQ(blocks.size(), index.blocks.size());
  for (size_t i = 0; i < blocks.size(); ++i) {
    EXPECT_EQ(blocks[i].file, index.blocks[i].file);
    EXPECT_EQ(blocks[i].offset, index.blocks[i].offset);
    EXPECT_EQ(blocks[i].bytes, index.blocks[i].bytes);
    EXPECT_EQ(blocks[i].first_line, index.blocks[i].first_line);
    EXPECT_EQ(blocks[i].rows, index.blocks[i].rows);
  }
  // An error of the index comes behind the blocks before it; one of the visitor ends the pass.
  blocks.clear();
  const auto cut = DataSet::Open({Libsvm(second), Libsvm(empty)}, Options()).value();
  EXPECT_THAT(cut->ForEachBlock(keep), StatusIs(kInvalid, HasSubstr("no rows")));
  EXPECT_EQ(blocks.size(), 2u);
  int visits = 0;
  EXPECT_THAT(data->ForEachBlock([&visits](const Block&) {
    ++visits;
    return absl::CancelledError("enough");
  }),
              StatusIs(absl::StatusCode::kCancelled, "enough"));
  EXPECT_EQ(visits, 1);
}

TEST_F(DataSetTest, ABadRowIsItsOwnErrorWhereNoPolicyIsAsked) {
  const auto data = Open(Write("a.libsvm", "1 1:1\nbad\nworse\n"));
  LoadedBlock loaded;
  ASSERT_OK(data->LoadBlock(data->BuildIndex().value().blocks[0], &loaded));
  Row row;
  EXPECT_OK(data->ParseAnyRow(0, loaded, 0, &row));
  EXPECT_THAT(data->ParseAnyRow(0, loaded, 2, &row),
              StatusIs(kInvalid, StartsWith(Path("a.libsvm") + ":3: ")));
  EXPECT_THAT(data->ParseRow(0, loaded, 2, &row).status(),
              StatusIs(kInvalid, StartsWith(Path("a.libsvm") + ":2: ")));
  EXPECT_THAT(data->ParseAnyRow(0, loaded, 3, &row), StatusIs(kInvalid, HasSubstr("row 3")));
}

TEST_F(DataSetTest, ARowLongerThanABlockIsABlock) {
  std::string text = "1 7:1\n0";
  for (int j = 1; j <= 200000; ++j) absl::StrAppend(&text, " ", j, ":1");
  text += "\n1 8:1\n";
  const auto data = Open(Write("a.libsvm", text));
  const DataIndex index = data->BuildIndex().value();
  ASSERT_EQ(index.blocks.size(), 3u);
  EXPECT_GT(index.blocks[1].bytes, kBlockBytes);
  const auto rows = ReadAll(*data).value();
  ASSERT_EQ(rows.size(), 3u);
  EXPECT_THAT(rows[1], EndsWith(" 199999=1"));
  EXPECT_EQ(rows[2], "1 7=1");
}

TEST_F(DataSetTest, LongStretchesWithoutRowsAreLeftOut) {
  std::string text;
  for (int part = 0; part < 3; ++part) {
    text += "1 1:1\n";
    for (int i = 0; i < 60000; ++i) text += "# nothing to see here\n";
  }
  const auto data = Open(Write("a.libsvm", text));
  const DataIndex index = data->BuildIndex().value();
  ASSERT_EQ(index.blocks.size(), 3u);
  for (const Block& block : index.blocks) EXPECT_EQ(block.bytes, 6u);
  EXPECT_EQ(index.blocks[2].first_line, 120003u);
}

TEST_F(DataSetTest, OnlyWantedRowsAreParsed) {
  const auto data = Open(Write("a.libsvm", "1 1:1\nbad\n0 2:1\n1 3:1\n"));
  const DataIndex index = data->BuildIndex().value();
  std::vector<uint32_t> numbers;
  ASSERT_OK(data->ReadBlock(index.blocks[0], {0, 3}, [&](uint32_t number, const Row&) {
    numbers.push_back(number);
    return absl::OkStatus();
  }));
  EXPECT_THAT(numbers, ElementsAre(0, 3));
  EXPECT_THAT(
      data->ReadBlock(index.blocks[0], {4}, [](uint32_t, const Row&) { return absl::OkStatus(); }),
      StatusIs(kInvalid, HasSubstr("row 4")));
}

TEST_F(DataSetTest, AVisitorsErrorEndsTheReading) {
  const auto data = Open(Write("a.libsvm", "1 1:1\n0 2:1\n"));
  const DataIndex index = data->BuildIndex().value();
  int visits = 0;
  EXPECT_THAT(data->ReadBlock(index.blocks[0], {},
                              [&](uint32_t, const Row&) {
                                ++visits;
                                return absl::CancelledError("enough");
                              }),
              StatusIs(absl::StatusCode::kCancelled, "enough"));
  EXPECT_EQ(visits, 1);
}

TEST_F(DataSetTest, ErrorsNameFileAndLine) {
  const std::string path = Write("a.libsvm", "1 1:1\n\n# c\n1 4:\n");
  EXPECT_THAT(ReadAll(*Open(path)), StatusIs(kInvalid, path + ":4: `4:` has no value"));
  const std::string labels = Write("b.libsvm", "1 1:1\n7 1:1\n");
  EXPECT_THAT(
      ReadAll(*Open(labels)),
      StatusIs(kInvalid, labels + ":2: label 7 is neither positive (1) nor negative (0, -1)"));
}

TEST_F(DataSetTest, BadRowsAreLeftOutAndCountedByPolicy) {
  const std::string path = Write("a.libsvm", "1 1:1\nx 1:1\n0 2:1\n5 3:1\n1 4:1\n");
  DataSet::Options options = Options();
  options.bad_rows = {.skip = true, .max_bad_rows = 0};
  const auto data = DataSet::Open({Libsvm(path)}, options).value();
  EXPECT_THAT(ReadAll(*data).value(), ElementsAre("1 0=1", "0 1=1", "1 3=1"));
  EXPECT_EQ(data->rows_skipped(), 2u);
  EXPECT_EQ(data->BuildIndex().value().rows, 5u);
}

TEST_F(DataSetTest, TheErrorIsThatOfTheFirstBadRowWhicheverIsMet) {
  const std::string first = Write("a.libsvm", "1 1:1\n\n1 2:x\n1 1:y\n");
  const std::string second = Write("b.libsvm", "z\n1 1:1\nz\n");
  const auto data = DataSet::Open({Libsvm(first), Libsvm(second)}, Options()).value();
  const DataIndex index = data->BuildIndex().value();
  const auto ignore = [](uint32_t, const Row&) { return absl::OkStatus(); };
  const std::vector<uint32_t> last = {2};
  for (const Block& block : index.blocks) {
    EXPECT_THAT(data->ReadBlock(block, last, ignore),
                StatusIs(kInvalid, StartsWith(first + ":3: value `x`")));
  }
}

TEST_F(DataSetTest, MoreBadRowsThanAllowedFailNamingTheLast) {
  const std::string path = Write("a.libsvm", "x\n1 1:1\ny\nz\n");
  DataSet::Options options = Options();
  options.bad_rows = {.skip = true, .max_bad_rows = 2};
  const auto data = DataSet::Open({Libsvm(path)}, options).value();
  EXPECT_THAT(ReadAll(*data), StatusIs(kInvalid, AllOf(StartsWith(path + ":4: label `z`"),
                                                       HasSubstr("max_bad_rows: 2"))));
}

TEST_F(DataSetTest, ABadRowMetInEveryEpochCountsOnceAgainstTheLimit) {
  const std::string path = Write("a.libsvm", "x\n1 1:1\ny\n");
  DataSet::Options options = Options();
  options.bad_rows = {.skip = true, .max_bad_rows = 2};
  const auto data = DataSet::Open({Libsvm(path)}, options).value();
  for (int epoch = 0; epoch < 5; ++epoch) EXPECT_OK(ReadAll(*data));
  EXPECT_EQ(data->rows_skipped(), 10u);
}

TEST_F(DataSetTest, CompressedFilesReadLikePlainOnes) {
  std::string text;
  for (int i = 0; i < 50000; ++i) absl::StrAppend(&text, i % 2, " ", i + 1, ":", i % 7 + 1, "\n");
  const auto plain = Rows(Write("a.libsvm", text));
  EXPECT_EQ(Rows(Write("a.libsvm.gz", Gzip(text))), plain);
  EXPECT_EQ(Rows(Write("misnamed.libsvm", Gzip(text))), plain);
  EXPECT_EQ(Rows(Write("members.gz", Gzip(text.substr(0, 1000)) + Gzip("") +
                                         Gzip(text.substr(1000)) + std::string(512, '\0'))),
            plain);
}

TEST_F(DataSetTest, SeveralCompressedFilesShareTheSpill) {
  const auto a = Libsvm(Write("a.gz", Gzip("1 1:1\n0 2:1\n")));
  const auto b = Libsvm(Write("b", "1 3:1\n"));
  const auto c = Libsvm(Write("c.gz", Gzip("0 4:1")));
  const auto data = DataSet::Open({a, b, c}, Options()).value();
  EXPECT_THAT(ReadAll(*data).value(), ElementsAre("1 0=1", "0 1=1", "1 2=1", "0 3=1"));
  EXPECT_EQ(data->BuildIndex().value().files.size(), 3u);
  // The spill file is gone from its folder although it is in use.
  EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder_), {}), 3);
}

TEST_F(DataSetTest, DamagedCompressedFilesAreNamed) {
  const std::string good = Gzip(std::string(100000, '1') + "\n");
  const std::string cut = Write("cut.gz", good.substr(0, good.size() - 9));
  EXPECT_THAT(OpenError(cut), StatusIs(kDataLoss, AllOf(HasSubstr(cut), HasSubstr("truncated"))));
  const std::string head = Write("head.gz", good.substr(0, 4));
  EXPECT_THAT(OpenError(head), StatusIs(kDataLoss, AllOf(HasSubstr(head), HasSubstr("truncated"))));
  std::string flipped = good;
  flipped[flipped.size() - 6] ^= 1;  // In the checksum.
  const std::string wrong = Write("flipped.gz", flipped);
  EXPECT_THAT(OpenError(wrong), StatusIs(kDataLoss, HasSubstr(wrong)));
  const std::string tail = Write("tail.gz", good + "junk");
  EXPECT_THAT(OpenError(tail), StatusIs(kDataLoss, HasSubstr(tail)));
}

TEST_F(DataSetTest, AFileNamedGzThatIsNotIsNamed) {
  for (const std::string bytes : {"1 1:1\n", "", "\x1f"}) {
    const std::string path = Write("a.libsvm.gz", bytes);
    EXPECT_THAT(OpenError(path), StatusIs(kInvalid, AllOf(HasSubstr(path), HasSubstr("not gzip"))));
  }
}

TEST_F(DataSetTest, ZstdFilesReadLikePlainOnes) {
  std::string text;
  for (int i = 0; i < 50000; ++i) absl::StrAppend(&text, i % 2, " ", i + 1, ":", i % 7 + 1, "\n");
  const auto plain = Rows(Write("a.libsvm", text));
  EXPECT_EQ(Rows(Write("a.libsvm.zst", Zstd(text))), plain);
  EXPECT_EQ(Rows(Write("misnamed.libsvm", Zstd(text))), plain);
  const std::string skippable("\x5a\x2a\x4d\x18\x03\0\0\0abc", 11);
  EXPECT_EQ(Rows(Write("frames.zst", skippable + Zstd(text.substr(0, 1000)) + Zstd("") + skippable +
                                         Zstd(text.substr(1000)))),
            plain);
}

// A frame that ends where the output buffer does is no truncated one.
TEST_F(DataSetTest, ZstdFramesOfAnyLengthAreWhole) {
  for (const size_t size : {size_t{128} << 10, (size_t{128} << 10) - 1, size_t{256} << 10}) {
    std::string text = "1 1:1 #";
    text.resize(size - 1, 'x');
    EXPECT_THAT(Rows(Write("a.zst", Zstd(text + "\n"))), ElementsAre("1 0=1"));
  }
}

TEST_F(DataSetTest, DamagedZstdFilesAreNamed) {
  const std::string good = Zstd("1 1:1\n" + std::string(100000, '#') + "\n");
  for (const size_t size : {good.size() - 1, good.size() / 2, size_t{5}, size_t{4}}) {
    const std::string cut = Write("cut.zst", good.substr(0, size));
    EXPECT_THAT(OpenError(cut), StatusIs(kDataLoss, AllOf(HasSubstr(cut), HasSubstr("truncated"))));
  }
  std::string flipped = good;
  flipped[flipped.size() - 2] ^= 1;  // In the checksum.
  EXPECT_THAT(OpenError(Write("flipped.zst", flipped)), StatusIs(kDataLoss, HasSubstr("checksum")));
  const std::string tail = Write("tail.zst", good + "junk, and more of it");
  EXPECT_THAT(OpenError(tail), StatusIs(kDataLoss, HasSubstr(tail)));
  for (const std::string bytes : {"1 1:1\n", "", "\x28\xb5"}) {
    const std::string path = Write("a.libsvm.zst", bytes);
    EXPECT_THAT(OpenError(path), StatusIs(kInvalid, AllOf(HasSubstr(path), HasSubstr("not zstd"))));
  }
}

TEST_F(DataSetTest, MissingAndOddFilesAreNamed) {
  EXPECT_THAT(OpenError(Path("none")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
  EXPECT_THAT(OpenError(folder_),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("regular")));
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(OpenError(Path("pipe")),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr("regular")));
  EXPECT_THAT(DataSet::Open({}, Options()), StatusIs(kInvalid, HasSubstr("no files")));
}

TEST_F(DataSetTest, ASpillFolderThatIsNotThereIsNamed) {
  DataSet::Options options = Options();
  options.spill_folder = Path("nowhere");
  EXPECT_THAT(DataSet::Open({Libsvm(Write("a.gz", Gzip("1\n")))}, options),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("nowhere"))));
}

TEST_F(DataSetTest, AFileThatChangedSinceItWasIndexedIsNamed) {
  const std::string text = "1 1:1\n0 2:1\n";
  const std::string path = Write("a.libsvm", text);
  const auto data = Open(path);
  const DataIndex index = data->BuildIndex().value();
  const auto read = [&] {
    return data->ReadBlock(index.blocks[0], {},
                           [](uint32_t, const Row&) { return absl::OkStatus(); });
  };
  ASSERT_OK(read());
  Write("a.libsvm", text + "1 3:1\n");
  EXPECT_THAT(read(), StatusIs(kDataLoss, AllOf(HasSubstr(path), HasSubstr("changed"))));
  Write("a.libsvm", "1 1:1\n");
  EXPECT_THAT(read(), StatusIs(kDataLoss, HasSubstr(path)));
  EXPECT_THAT(data->BuildIndex(), StatusIs(kDataLoss, HasSubstr(path)));
  std::filesystem::remove(path);
  EXPECT_THAT(read(), StatusIs(kDataLoss, AllOf(HasSubstr(path), HasSubstr("gone"))));
}

TEST_F(DataSetTest, AFileOfTheSameSizeButOtherTimeIsNamed) {
  const std::string path = Write("a.libsvm", "1 1:1\n0 2:1\n");
  const auto data = Open(path);
  const DataIndex index = data->BuildIndex().value();
  std::filesystem::last_write_time(
      path, std::filesystem::last_write_time(path) + std::chrono::seconds(2));
  LoadedBlock loaded;
  EXPECT_THAT(data->LoadBlock(index.blocks[0], &loaded), StatusIs(kDataLoss, HasSubstr(path)));
}

TEST_F(DataSetTest, AnIndexOfAnotherFileIsNamed) {
  const std::string path = Write("a.libsvm", "1 1:1\n0 2:1\n");
  const auto data = Open(path);
  LoadedBlock loaded;
  const auto load = [&](Block block) { return data->LoadBlock(block, &loaded); };
  EXPECT_THAT(load({.file = 0, .offset = 0, .bytes = 12, .first_line = 1, .rows = 3}),
              StatusIs(kDataLoss, HasSubstr(path)));
  EXPECT_THAT(load({.file = 0, .offset = 6, .bytes = 1000, .first_line = 1, .rows = 1}),
              StatusIs(kDataLoss, HasSubstr(path)));
  EXPECT_THAT(load({.file = 0, .offset = ~uint64_t{0}, .bytes = 2, .first_line = 1, .rows = 1}),
              StatusIs(kDataLoss, HasSubstr(path)));
  EXPECT_THAT(load({.file = 3, .offset = 0, .bytes = 12, .first_line = 1, .rows = 2}),
              StatusIs(kInvalid, HasSubstr("data file 3")));
}

TEST_F(DataSetTest, ManyThreadsReadOneDataSet) {
  std::string text;
  for (int i = 0; i < 20000; ++i)
    absl::StrAppend(&text, i % 3 == 2 ? 7 : i % 3, " ", i + 1, ":1\n");
  DataSet::Options options = Options();
  options.bad_rows.skip = true;
  const auto data =
      DataSet::Open({Libsvm(Write("a.gz", Gzip(text))), Libsvm(Write("b", text))}, options).value();
  const DataIndex index = data->BuildIndex().value();
  std::vector<std::thread> threads;
  std::atomic<uint64_t> rows = 0;
  for (size_t t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (size_t i = t; i < index.blocks.size(); i += 4) {
        EXPECT_OK(data->ReadBlock(index.blocks[i], {}, [&](uint32_t, const Row&) {
          ++rows;
          return absl::OkStatus();
        }));
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(rows + data->rows_skipped(), 40000u);
  EXPECT_EQ(data->rows_skipped(), 2 * 6666u);
}

TEST_F(DataSetTest, APathIsAFileAFolderOrAGlob) {
  Write("b.libsvm", "1\n");
  Write("a.libsvm", "1\n");
  Write("c.txt", "1\n");
  Write(".hidden", "1\n");
  std::filesystem::create_directories(Path("sub.libsvm"));
  std::filesystem::create_directories(Path("empty"));
  const RowFormat::Options format = {.format = "libsvm", .index_base = 1};
  const auto names = [&](const std::string& path) {
    auto files = ExpandPath(path, format);
    EXPECT_OK(files);
    std::vector<std::string> names;
    for (const DataFile& file : files.value_or(std::vector<DataFile>{})) {
      EXPECT_EQ(file.format.format, "libsvm");
      names.push_back(std::filesystem::path(file.path).filename());
    }
    return names;
  };
  EXPECT_THAT(names(Path("b.libsvm")), ElementsAre("b.libsvm"));
  EXPECT_THAT(names(folder_), ElementsAre("a.libsvm", "b.libsvm", "c.txt"));
  EXPECT_THAT(names(Path("*.libsvm")), ElementsAre("a.libsvm", "b.libsvm"));
  EXPECT_THAT(names(Path("[bc].*")), ElementsAre("b.libsvm", "c.txt"));
  EXPECT_THAT(ExpandPath(Path("none"), format),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
  EXPECT_THAT(ExpandPath(Path("*.csv"), format),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(Path("*.csv"))));
  EXPECT_THAT(ExpandPath(Path("empty"), format),
              StatusIs(absl::StatusCode::kFailedPrecondition, HasSubstr(Path("empty"))));
}

TEST_F(DataSetTest, APathWithGlobCharactersThatExistsIsThatFile) {
  const std::string path = Write("a[1].libsvm", "1\n");
  const auto files = ExpandPath(path, {.format = "dummy", .index_base = {}});
  ASSERT_OK(files);
  ASSERT_EQ(files->size(), 1u);
  EXPECT_EQ((*files)[0].path, path);
}

TEST_F(DataSetTest, AnUnknownFormatIsRefusedByOpen) {
  EXPECT_THAT(
      DataSet::Open({{.path = Write("a", "1\n"), .format = {.format = "libsvn", .index_base = 1}}},
                    Options()),
      StatusIs(kInvalid, HasSubstr("libsvm")));
}

}  // namespace
}  // namespace seraph
