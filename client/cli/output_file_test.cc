// SPDX-License-Identifier: Apache-2.0
#include "client/cli/output_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <iterator>
#include <sstream>

#include "tests/status_matchers.h"

namespace seraph {
namespace {

using testing::HasSubstr;

std::string ReadAll(const std::string& path) {
  std::ifstream file(path);
  return std::string(std::istreambuf_iterator<char>(file), {});
}

class OutputFileTest : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = testing::TempDir() + "/output_file_test";
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    path_ = folder_ + "/scores.txt";
  }
  size_t FilesInFolder() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder_),
                                             std::filesystem::directory_iterator()));
  }

  std::string folder_;
  std::string path_;
  std::ostringstream standard_;
};

TEST_F(OutputFileTest, TakesItsPlaceAtCommit) {
  std::ofstream(path_) << "old";
  auto file = OutputFile::Open(path_, &standard_);
  ASSERT_OK(file.status());
  ASSERT_OK((*file)->Write("new"));
  EXPECT_EQ(ReadAll(path_), "old");
  ASSERT_OK((*file)->Commit());
  EXPECT_EQ(ReadAll(path_), "new");
  file->reset();
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(OutputFileTest, ALinkStaysAndWhatItLeadsToIsWritten) {
  std::filesystem::create_directories(folder_ + "/disk");
  std::ofstream(folder_ + "/disk/scores") << "old";
  std::filesystem::create_symlink(folder_ + "/disk/scores", path_);
  auto file = OutputFile::Open(path_, &standard_);
  ASSERT_OK(file.status());
  ASSERT_OK((*file)->Write("new"));
  ASSERT_OK((*file)->Commit());
  EXPECT_TRUE(std::filesystem::is_symlink(path_));
  EXPECT_EQ(ReadAll(folder_ + "/disk/scores"), "new");
}

TEST_F(OutputFileTest, LeavesNothingWithoutCommit) {
  std::ofstream(path_) << "old";
  auto file = OutputFile::Open(path_, &standard_);
  ASSERT_OK(file.status());
  ASSERT_OK((*file)->Write("half"));
  file->reset();
  EXPECT_EQ(ReadAll(path_), "old");
  EXPECT_EQ(FilesInFolder(), 1u);
}

TEST_F(OutputFileTest, DashIsStandardOutput) {
  auto file = OutputFile::Open("-", &standard_);
  ASSERT_OK(file.status());
  ASSERT_OK((*file)->Write("line\n"));
  ASSERT_OK((*file)->Commit());
  EXPECT_EQ(standard_.str(), "line\n");
}

TEST_F(OutputFileTest, DevicesAreWrittenInPlace) {
  auto file = OutputFile::Open("/dev/null", &standard_);
  ASSERT_OK(file.status());
  ASSERT_OK((*file)->Write("gone"));
  ASSERT_OK((*file)->Commit());
  EXPECT_TRUE(std::filesystem::is_character_file("/dev/null"));
  auto full = OutputFile::Open("/dev/full", &standard_);
  ASSERT_OK(full.status());
  ASSERT_OK((*full)->Write("lost"));
  EXPECT_THAT((*full)->Commit(),
              StatusIs(absl::StatusCode::kInvalidArgument,
                       HasSubstr("output /dev/full cannot be written: No space")));
}

TEST_F(OutputFileTest, NamesWhatCannotBeWritten) {
  EXPECT_THAT(OutputFile::Open(folder_, &standard_).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("it is a folder")));
  EXPECT_THAT(OutputFile::Open(folder_ + "/none/x", &standard_).status(),
              StatusIs(absl::StatusCode::kInvalidArgument, HasSubstr("No such file or directory")));
  EXPECT_EQ(FilesInFolder(), 0u);
}

}  // namespace
}  // namespace seraph
