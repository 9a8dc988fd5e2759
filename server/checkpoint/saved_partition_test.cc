// SPDX-License-Identifier: Apache-2.0
#include "server/checkpoint/saved_partition.h"

#include <unistd.h>

#include <memory>
#include <string>

#include "common/checksum.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

class SavedPartitionTest : public ::testing::Test {
 protected:
  SavedPartitionTest() : fs_(NewPosixFileSystem()), folder_(::testing::TempDir() + "saved") {
    EXPECT_OK(fs_->RemoveTree(folder_));
    const PartitionHeader header{.table = "weights", .partition = 3, .dim = 1, .state_width = 1};
    const WrittenFile written =
        WritePartitionFile(fs_.get(), folder_ + "/part", header, {5, 9}, {1, 2, 3, 4}).value();
    saved_ = {3, "part", 2, written.bytes, written.checksum};
  }
  absl::StatusOr<PartitionContents> Read() {
    return ReadSavedPartition(*fs_, folder_, "weights", saved_);
  }

  std::unique_ptr<FileSystem> fs_;
  std::string folder_;
  SavedPartitionFile saved_;
};

TEST_F(SavedPartitionTest, TheFileThatTheManifestMeansIsRead) {
  const PartitionContents contents = Read().value();
  EXPECT_THAT(contents.keys, ElementsAre(5, 9));
  EXPECT_THAT(contents.rows, ElementsAre(1, 2, 3, 4));
}

TEST_F(SavedPartitionTest, EachDifferenceFromTheManifestIsDataLossThatNamesTheFile) {
  const SavedPartitionFile good = saved_;
  const auto lost = [&](const std::string& what) {
    return StatusIs(absl::StatusCode::kDataLoss,
                    AllOf(HasSubstr(folder_ + "/" + saved_.file), HasSubstr(what)));
  };
  saved_.bytes += 1;
  EXPECT_THAT(Read(), lost("bytes"));
  saved_.bytes = good.bytes - 1;
  EXPECT_THAT(Read(), lost("bytes"));
  saved_ = good;
  saved_.checksum ^= 1;
  EXPECT_THAT(Read(), lost("checksum"));
  saved_ = good;
  saved_.rows = 3;
  EXPECT_THAT(Read(), lost("rows 2"));
  saved_ = good;
  saved_.partition = 4;
  EXPECT_THAT(Read(), lost("partition 3"));
  saved_ = good;
  EXPECT_THAT(ReadSavedPartition(*fs_, folder_, "bias", saved_), lost("table weights"));
  saved_.file = "none";
  EXPECT_THAT(Read(), lost("missing"));
}

TEST_F(SavedPartitionTest, AFileThatGrewIsNotReadIntoMemory) {
  ASSERT_EQ(::truncate((folder_ + "/part").c_str(), int64_t{1} << 40), 0);
  EXPECT_THAT(Read(), StatusIs(absl::StatusCode::kDataLoss, HasSubstr("1099511627776 bytes")));
}

TEST_F(SavedPartitionTest, PathsThatLeaveTheFolderAreRefused) {
  for (const std::string file : {"../saved/part", "a/../../part", "", "/part"}) {
    saved_.file = file;
    EXPECT_THAT(Read(), StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr(file)));
  }
}

}  // namespace
}  // namespace seraph
