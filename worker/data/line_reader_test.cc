// SPDX-License-Identifier: Apache-2.0
#include "worker/data/line_reader.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

std::unique_ptr<DataFileReader> FileOf(absl::string_view bytes) {
  auto file = DataFileReader::CreateUnlinked(::testing::TempDir());
  EXPECT_OK(file);
  EXPECT_OK((*file)->Append(bytes));
  return std::move(file).value();
}

// Lines of any length, around the size of a chunk and over several of them.
TEST(LineReaderTest, LinesOfAnyLengthComeBack) {
  std::string text;
  std::vector<size_t> lengths = {0, 1, (256 << 10) - 2, 256 << 10, (256 << 10) + 1, 3 << 20, 0, 5};
  for (const size_t length : lengths) text += std::string(length, 'x') + "\n";
  const auto file = FileOf(text);
  LineReader reader(file.get(), 0, text.size());
  uint64_t at = 0;
  for (const size_t length : lengths) {
    ASSERT_TRUE(reader.Next().value());
    EXPECT_EQ(reader.line().size(), length);
    EXPECT_EQ(reader.offset(), at);
    at += length + 1;
    EXPECT_EQ(reader.end_offset(), at);
  }
  EXPECT_FALSE(reader.Next().value());
}

TEST(LineReaderTest, ReadsAPartOfAFile) {
  const auto file = FileOf("aa\nbb\ncc\ndd");
  LineReader reader(file.get(), 3, 9);
  ASSERT_TRUE(reader.Next().value());
  EXPECT_EQ(reader.line(), "bb");
  ASSERT_TRUE(reader.Next().value());
  EXPECT_EQ(reader.line(), "cc");
  EXPECT_FALSE(reader.Next().value());
}

TEST(LineReaderTest, TheLastLineNeedsNoEnd) {
  const auto file = FileOf("aa\nbb");
  LineReader reader(file.get(), 0, 5);
  ASSERT_TRUE(reader.Next().value());
  ASSERT_TRUE(reader.Next().value());
  EXPECT_EQ(reader.line(), "bb");
  EXPECT_EQ(reader.end_offset(), 5u);
  EXPECT_FALSE(reader.Next().value());
}

TEST(LineReaderTest, HoldsAWindowWhateverTheSizeOfTheFile) {
  std::string text;
  while (text.size() < (16u << 20)) text += std::string(1000, 'x') + "\n";
  const auto file = FileOf(text);
  LineReader reader(file.get(), 0, text.size());
  uint64_t lines = 0, most = 0;
  while (reader.Next().value()) {
    ++lines;
    most = std::max(most, reader.held_bytes());
  }
  EXPECT_EQ(lines, text.size() / 1001);
  EXPECT_LE(most, 1u << 20);
}

TEST(LineReaderTest, AnEndlessLineIsRefused) {
  auto file = FileOf("");
  const std::string piece(16 << 20, 'x');
  for (uint64_t size = 0; size < kMaxLineBytes + (64 << 20); size += piece.size()) {
    ASSERT_OK(file->Append(piece));
  }
  LineReader reader(file.get(), 0, file->Stamp()->bytes);
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kInvalidArgument,
                                      ::testing::HasSubstr("longer than 64 MiB")));
}

TEST(LineReaderTest, AFileThatIsCutIsAnError) {
  const auto file = FileOf("aa\nbb\n");
  LineReader reader(file.get(), 0, 100);
  EXPECT_THAT(reader.Next(), StatusIs(absl::StatusCode::kDataLoss, ::testing::HasSubstr("byte 6")));
}

}  // namespace
}  // namespace seraph
