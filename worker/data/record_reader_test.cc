// SPDX-License-Identifier: Apache-2.0
#include "worker/data/record_reader.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"
#include "worker/data/data_file_reader.h"

namespace seraph {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::unique_ptr<RowFormat> Csv() {
  return NewRowFormat({.format = "csv", .dialect = {.comment = "#"}}).value();
}

std::unique_ptr<DataFileReader> FileOf(absl::string_view bytes) {
  auto file = DataFileReader::CreateUnlinked(::testing::TempDir());
  EXPECT_OK(file);
  EXPECT_OK((*file)->Append(bytes));
  return std::move(file).value();
}

// "LINE@OFFSET-END: RECORD" of each record.
std::vector<std::string> Records(const std::string& text) {
  const auto file = FileOf(text);
  const auto format = Csv();
  RecordReader reader(file.get(), 0, text.size(), format.get());
  std::vector<std::string> records;
  while (true) {
    const absl::StatusOr<bool> more = reader.Next();
    if (!more.ok()) records.push_back(std::string(more.status().message()));
    if (!more.ok() || !*more) return records;
    records.push_back(absl::StrCat(reader.line_number(), "@", reader.offset(), "-",
                                   reader.end_offset(), ": ", reader.record()));
  }
}

TEST(RecordReaderTest, LinesInQuotesBelongTogether) {
  EXPECT_THAT(Records("1,2\n\n# no \"row\n\"a\nb\",3\n4"),
              ElementsAre("1@0-4: 1,2", "4@15-23: \"a\nb\",3", "6@23-24: 4"));
  EXPECT_THAT(Records("\"\n\n\n\"\n1"), ElementsAre("1@0-6: \"\n\n\n\"", "5@6-7: 1"));
  EXPECT_THAT(Records("\"a\n\""), ElementsAre("1@0-4: \"a\n\""));
}

TEST(RecordReaderTest, ARecordThatDoesNotEndIsAnError) {
  for (const std::string text : {"1\n\"a", "1\n\"a\n", "1\n\"a\n\nb\n"}) {
    EXPECT_THAT(Records(text), ElementsAre("1@0-2: 1", HasSubstr("begins here does not end")));
  }
}

// Records around the size of the reader's chunk, of one line and of many.
TEST(RecordReaderTest, RecordsOfAnySizeComeBack) {
  std::string text;
  std::vector<std::string> records;
  for (const size_t size :
       {size_t{1}, (size_t{256} << 10) - 4, size_t{256} << 10, size_t{1} << 20}) {
    records.push_back("\"" + std::string(size, 'x') + "\"");
    std::string lines;
    while (lines.size() < size) lines += "yy,\"\"\n";
    records.push_back("\"" + lines + "\",1");
  }
  for (const std::string& record : records) text += record + "\n";
  const auto file = FileOf(text);
  const auto format = Csv();
  RecordReader reader(file.get(), 0, text.size(), format.get());
  for (const std::string& record : records) {
    ASSERT_TRUE(reader.Next().value());
    EXPECT_TRUE(reader.record() == record);
  }
  EXPECT_FALSE(reader.Next().value());
}

TEST(RecordReaderTest, HoldsAWindowWhateverTheSizeOfTheFile) {
  std::string text;
  while (text.size() < (16u << 20)) text += "\"" + std::string(700, 'x') + "\n\n\",1\n";
  const auto file = FileOf(text);
  const auto format = Csv();
  RecordReader reader(file.get(), 0, text.size(), format.get());
  uint64_t records = 0, most = 0;
  while (reader.Next().value()) {
    ++records;
    most = std::max(most, reader.held_bytes());
  }
  EXPECT_EQ(records, text.size() / 707);
  EXPECT_LE(most, 1u << 20);
}

// A record of large fields takes a small multiple of its own size.
TEST(RecordReaderTest, LargeFieldsAreHeldOnce) {
  const std::string field(2 << 20, 'x');
  std::string text;
  for (int i = 0; i < 5; ++i) text += "\"" + field + "\n" + field + "\"," + field + "\n";
  const auto file = FileOf(text);
  const auto format = Csv();
  RecordReader reader(file.get(), 0, text.size(), format.get());
  uint64_t records = 0;
  while (reader.Next().value()) ++records;
  EXPECT_EQ(records, 5u);
  EXPECT_LE(reader.held_bytes(), 4 * 3 * field.size());
}

TEST(RecordReaderTest, TheSameRecordsComeFromMemory) {
  const std::string text = "1,2\n\n\"a\nb\n\",3\n4\n\"x";
  const auto format = Csv();
  absl::string_view rest = text;
  std::vector<std::string> records;
  while (!rest.empty()) {
    uint64_t lines = 0;
    const absl::string_view record = TakeRecord(*format, &rest, &lines);
    records.push_back(absl::StrCat(lines, ": ", record));
  }
  EXPECT_THAT(records, ElementsAre("1: 1,2", "1: ", "3: \"a\nb\n\",3", "1: 4", "1: \"x"));
}

}  // namespace
}  // namespace seraph
