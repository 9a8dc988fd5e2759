// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/partition_file.h"

#include <cstring>
#include <limits>

#include "common/checksum.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Where the parts of the format's fixed header lie.
constexpr size_t kVersionAt = 8;
constexpr size_t kDimAt = 16;
constexpr size_t kRowsAt = 24;
constexpr size_t kNameBytesAt = 40;
constexpr size_t kNameAt = 44;

class PartitionFileTest : public ::testing::Test {
 protected:
  PartitionFileTest() : path_(::testing::TempDir() + "/" + TestName() + "/weights/part") {}
  ~PartitionFileTest() override { (void)fs_->RemoveTree(::testing::TempDir() + "/" + TestName()); }

  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  // A file of three rows of "weights", dim 2 with one float of state; its bytes.
  std::string Sample() {
    const std::vector<uint64_t> keys = {0, 7, std::numeric_limits<uint64_t>::max()};
    const std::vector<float> rows = {1, 2, 3, -0.0f, 5e-45f, 6, 7, 8, 9};
    const auto written = WritePartitionFile(fs_.get(), path_, header_, keys, rows);
    EXPECT_OK(written);
    const std::string bytes = fs_->Read(path_, 1 << 20).value();
    EXPECT_EQ(written->bytes, bytes.size());
    EXPECT_EQ(written->checksum, Checksum(bytes));
    return bytes;
  }

  template <typename T>
  static void Overwrite(size_t at, T value, std::string* bytes) {
    std::memcpy(bytes->data() + at, &value, sizeof(value));
  }
  // Makes the stated checksum right again, so that only the change itself can be noticed.
  static std::string Resealed(std::string bytes) {
    bytes.resize(bytes.size() - 8);
    const uint64_t checksum = Checksum(bytes);
    return bytes.append(reinterpret_cast<const char*>(&checksum), 8);
  }
  static absl::Status Parse(const std::string& bytes) { return ParsePartitionFile(bytes).status(); }

  const std::unique_ptr<FileSystem> fs_ = NewPosixFileSystem();
  const std::string path_;
  const PartitionHeader header_ = {
      .table = "weights", .partition = 5, .dim = 2, .state_width = 1, .seed = 99};
};

TEST_F(PartitionFileTest, ReadsBackWhatWasWritten) {
  Sample();
  const auto contents = ParsePartitionFile(fs_->Read(path_, 1 << 20).value());
  ASSERT_OK(contents);
  EXPECT_EQ(contents->header, header_);
  EXPECT_THAT(contents->keys, ElementsAre(0, 7, std::numeric_limits<uint64_t>::max()));
  EXPECT_THAT(contents->rows, ElementsAre(1, 2, 3, -0.0f, 5e-45f, 6, 7, 8, 9));
  EXPECT_TRUE(std::signbit(contents->rows[3]));
}

TEST_F(PartitionFileTest, BytesAreThoseOfTheFormat) {
  const auto written = WritePartitionFile(
      fs_.get(), path_, {.table = "w", .partition = 1, .dim = 1, .state_width = 0, .seed = 2},
      {uint64_t{3}}, {1.5f});
  ASSERT_OK(written);
  const char expected[] =
      "SRPHPART"
      "\1\0\0\0"
      "\1\0\0\0"
      "\1\0\0\0"
      "\0\0\0\0"
      "\1\0\0\0\0\0\0\0"
      "\2\0\0\0\0\0\0\0"
      "\1\0\0\0"
      "w\0\0\0"
      "\3\0\0\0\0\0\0\0"
      "\0\0\xc0\x3f";
  const std::string body(expected, sizeof(expected) - 1);
  const std::string bytes = fs_->Read(path_, 1 << 20).value();
  EXPECT_EQ(bytes.substr(0, bytes.size() - 8), body);
  EXPECT_EQ(bytes, Resealed(bytes));
}

TEST_F(PartitionFileTest, NoRowsAreAFile) {
  ASSERT_OK(WritePartitionFile(fs_.get(), path_, header_, {}, {}));
  const auto contents = ParsePartitionFile(fs_->Read(path_, 1 << 20).value());
  ASSERT_OK(contents);
  EXPECT_THAT(contents->keys, IsEmpty());
  EXPECT_THAT(contents->rows, IsEmpty());
}

TEST_F(PartitionFileTest, WritingTheSameRowsTwiceGivesTheSameBytes) {
  const std::string first = Sample();
  EXPECT_EQ(Sample(), first);
}

TEST_F(PartitionFileTest, EveryFlippedBitIsNoticed) {
  const std::string bytes = Sample();
  for (size_t bit = 0; bit < 8 * bytes.size(); ++bit) {
    std::string flipped = bytes;
    flipped[bit / 8] ^= static_cast<char>(1 << bit % 8);
    EXPECT_FALSE(Parse(flipped).ok()) << "bit " << bit;
  }
}

TEST_F(PartitionFileTest, EveryTruncationIsNoticed) {
  const std::string bytes = Sample();
  for (size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_THAT(Parse(bytes.substr(0, size)), StatusIs(absl::StatusCode::kDataLoss, ::testing::_))
        << size;
  }
  EXPECT_THAT(Parse(bytes + '\0'), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("3 rows")));
}

TEST_F(PartitionFileTest, AnotherVersionIsRefusedByNumber) {
  std::string bytes = Sample();
  Overwrite<uint32_t>(kVersionAt, 2, &bytes);
  EXPECT_THAT(Parse(Resealed(bytes)),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr("format version 2"), HasSubstr("reads version 1"))));
}

// A stated size is believed only where the bytes bear it out, so that no header allocates memory.
TEST_F(PartitionFileTest, SizesThatLieAreRefusedWithTheRightChecksum) {
  const std::string bytes = Sample();
  for (const uint64_t rows : {uint64_t{0}, uint64_t{2}, uint64_t{1} << 40, uint64_t{1} << 61,
                              std::numeric_limits<uint64_t>::max()}) {
    std::string lying = bytes;
    Overwrite(kRowsAt, rows, &lying);
    EXPECT_THAT(Parse(Resealed(lying)), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("rows")));
  }
  for (const size_t at : {kDimAt, kNameBytesAt}) {
    for (const uint32_t value : {0u, 100u, ~0u}) {
      std::string lying = bytes;
      Overwrite(at, value, &lying);
      EXPECT_THAT(Parse(Resealed(lying)), StatusIs(absl::StatusCode::kDataLoss, ::testing::_));
    }
  }
}

TEST_F(PartitionFileTest, KeysOutOfOrderOrTwiceAreRefusedWithTheRightChecksum) {
  const size_t keys_at = 56;  // After 44 bytes, "weights" and 5 zeros.
  for (const uint64_t second : {uint64_t{0}, std::numeric_limits<uint64_t>::max()}) {
    std::string bytes = Sample();
    Overwrite(keys_at + 8, second, &bytes);
    EXPECT_THAT(Parse(Resealed(bytes)),
                StatusIs(absl::StatusCode::kDataLoss, HasSubstr("keys ascend")));
  }
}

TEST_F(PartitionFileTest, PaddingIsZero) {
  std::string bytes = Sample();
  bytes[kNameAt + header_.table.size()] = 'x';
  EXPECT_THAT(Parse(Resealed(bytes)), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("zeros")));
}

TEST_F(PartitionFileTest, BytesOfAnotherKindAreRefused) {
  EXPECT_THAT(Parse(std::string(4096, 'x')),
              StatusIs(absl::StatusCode::kDataLoss, HasSubstr("SRPHPART")));
}

}  // namespace
}  // namespace seraph
