// SPDX-License-Identifier: Apache-2.0
#include "common/file_system.h"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "tests/status_matchers.h"

namespace seraph {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr uint64_t kMost = 1 << 30;

class FileSystemTest : public ::testing::Test {
 protected:
  FileSystemTest() : fs_(NewPosixFileSystem()) {
    std::string pattern = ::testing::TempDir() + "/file_system_XXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~FileSystemTest() override { std::filesystem::remove_all(root_); }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void Write(const std::string& path, absl::string_view bytes) {
    auto file = fs_->Create(path);
    ASSERT_OK(file);
    ASSERT_OK((*file)->Append(bytes));
    ASSERT_OK((*file)->Close());
  }

  std::unique_ptr<FileSystem> fs_;
  std::string root_;
};

TEST_F(FileSystemTest, ReadsWhatWasWritten) {
  std::string bytes(3000000, '\0');
  for (size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<char>(i * 7 + i / 256);
  auto file = fs_->Create(Path("f")).value();
  EXPECT_OK(file->Append(bytes));
  EXPECT_OK(file->Append(""));
  EXPECT_OK(file->Append("end"));
  EXPECT_OK(file->Close());
  EXPECT_EQ(fs_->Read(Path("f"), kMost).value(), bytes + "end");
}

TEST_F(FileSystemTest, AFileOfMoreBytesThanAllowedIsNotRead) {
  Write(Path("f"), "12345");
  EXPECT_EQ(fs_->Read(Path("f"), 5).value(), "12345");
  EXPECT_THAT(fs_->Read(Path("f"), 4),
              StatusIs(absl::StatusCode::kOutOfRange,
                       AllOf(HasSubstr(Path("f")), HasSubstr("5 bytes, at most 4"))));
  ASSERT_EQ(::truncate(Path("f").c_str(), int64_t{1} << 40), 0);
  EXPECT_THAT(fs_->Read(Path("f"), kMost),
              StatusIs(absl::StatusCode::kOutOfRange, HasSubstr("1099511627776 bytes")));
}

TEST_F(FileSystemTest, APipeIsRefusedAndNotWaitedFor) {
  ASSERT_EQ(::mkfifo(Path("pipe").c_str(), 0600), 0);
  EXPECT_THAT(fs_->Read(Path("pipe"), kMost),
              StatusIs(absl::StatusCode::kFailedPrecondition,
                       AllOf(HasSubstr(Path("pipe")), HasSubstr("no regular file"))));
}

TEST_F(FileSystemTest, CreateTruncates) {
  Write(Path("f"), "long content");
  Write(Path("f"), "x");
  EXPECT_EQ(fs_->Read(Path("f"), kMost).value(), "x");
  Write(Path("f"), "");
  EXPECT_EQ(fs_->Read(Path("f"), kMost).value(), "");
}

TEST_F(FileSystemTest, MissingFilesAndParentsAreNotFoundAndNamed) {
  EXPECT_THAT(fs_->Read(Path("none"), kMost),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
  EXPECT_THAT(fs_->Create(Path("none/f")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none/f"))));
  EXPECT_THAT(fs_->List(Path("none")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none"))));
}

TEST_F(FileSystemTest, FoldersAreNoFilesAndFilesNoFolders) {
  ASSERT_OK(fs_->CreateFolders(Path("d")));
  Write(Path("f"), "x");
  const auto code = absl::StatusCode::kFailedPrecondition;
  EXPECT_THAT(fs_->Read(Path("d"), kMost), StatusIs(code, HasSubstr(Path("d"))));
  EXPECT_THAT(fs_->Create(Path("d")), StatusIs(code, HasSubstr(Path("d"))));
  EXPECT_THAT(fs_->List(Path("f")), StatusIs(code, HasSubstr(Path("f"))));
  EXPECT_THAT(fs_->CreateFolders(Path("f")), StatusIs(code, HasSubstr(Path("f"))));
  EXPECT_THAT(fs_->CreateFolders(Path("f/below")), StatusIs(code, HasSubstr(Path("f/below"))));
}

TEST_F(FileSystemTest, CreateFoldersMakesParentsAndAcceptsWhatIsThere) {
  EXPECT_OK(fs_->CreateFolders(Path("a/b/c")));
  EXPECT_OK(fs_->CreateFolders(Path("a/b/c")));
  EXPECT_OK(fs_->CreateFolders(Path("a/b/d/")));
  EXPECT_THAT(fs_->List(Path("a/b")).value(), ElementsAre("c", "d"));
}

TEST_F(FileSystemTest, ListIsSortedAndShallow) {
  ASSERT_OK(fs_->CreateFolders(Path("d/sub/deep")));
  for (const char* name : {"d/z", "d/a", "d/.hidden", "d/M"}) Write(Path(name), "");
  EXPECT_THAT(fs_->List(Path("d")).value(), ElementsAre(".hidden", "M", "a", "sub", "z"));
  EXPECT_THAT(fs_->List(Path("d/sub/deep")).value(), IsEmpty());
}

TEST_F(FileSystemTest, ExistsSeesFilesFoldersAndDanglingLinks) {
  Write(Path("f"), "");
  ASSERT_EQ(::symlink("nowhere", Path("link").c_str()), 0);
  EXPECT_TRUE(fs_->Exists(Path("f")));
  EXPECT_TRUE(fs_->Exists(root_));
  EXPECT_TRUE(fs_->Exists(Path("link")));
  EXPECT_FALSE(fs_->Exists(Path("none")));
}

TEST_F(FileSystemTest, RemoveTreeTakesTreesFilesAndNothing) {
  ASSERT_OK(fs_->CreateFolders(Path("d/sub")));
  Write(Path("d/sub/f"), "x");
  EXPECT_OK(fs_->RemoveTree(Path("d")));
  EXPECT_FALSE(fs_->Exists(Path("d")));
  Write(Path("f"), "x");
  EXPECT_OK(fs_->RemoveTree(Path("f")));
  EXPECT_OK(fs_->RemoveTree(Path("f")));
}

TEST_F(FileSystemTest, RemoveTreeDoesNotFollowLinks) {
  ASSERT_OK(fs_->CreateFolders(Path("kept")));
  Write(Path("kept/f"), "x");
  ASSERT_OK(fs_->CreateFolders(Path("d")));
  ASSERT_EQ(::symlink(Path("kept").c_str(), Path("d/link").c_str()), 0);
  EXPECT_OK(fs_->RemoveTree(Path("d")));
  EXPECT_TRUE(fs_->Exists(Path("kept/f")));
}

TEST_F(FileSystemTest, PublishTakesAFreePlace) {
  ASSERT_OK(fs_->CreateFolders(Path("new")));
  Write(Path("new/f"), "1");
  EXPECT_OK(fs_->Publish(Path("new"), Path("model")));
  EXPECT_EQ(fs_->Read(Path("model/f"), kMost).value(), "1");
  EXPECT_FALSE(fs_->Exists(Path("new")));
}

TEST_F(FileSystemTest, PublishReplacesTheOldFolderWholly) {
  ASSERT_OK(fs_->CreateFolders(Path("model/old_part")));
  Write(Path("model/old_part/f"), "old");
  Write(Path("model/f"), "old");
  ASSERT_OK(fs_->CreateFolders(Path("new")));
  Write(Path("new/f"), "new");
  EXPECT_OK(fs_->Publish(Path("new"), Path("model")));
  EXPECT_THAT(fs_->List(Path("model")).value(), ElementsAre("f"));
  EXPECT_EQ(fs_->Read(Path("model/f"), kMost).value(), "new");
  EXPECT_FALSE(fs_->Exists(Path("new")));
}

// The folder itself is exchanged: who has the old one open reads on from a whole model.
TEST_F(FileSystemTest, PublishExchangesInsteadOfCopying) {
  ASSERT_OK(fs_->CreateFolders(Path("model")));
  ASSERT_OK(fs_->CreateFolders(Path("new")));
  struct stat before, after;
  ASSERT_EQ(::stat(Path("new").c_str(), &before), 0);
  EXPECT_OK(fs_->Publish(Path("new"), Path("model")));
  ASSERT_EQ(::stat(Path("model").c_str(), &after), 0);
  EXPECT_EQ(before.st_ino, after.st_ino);
}

TEST_F(FileSystemTest, PublishReplacesFilesToo) {
  Write(Path("f"), "old");
  Write(Path("g"), "new");
  EXPECT_OK(fs_->Publish(Path("g"), Path("f")));
  EXPECT_EQ(fs_->Read(Path("f"), kMost).value(), "new");
  EXPECT_FALSE(fs_->Exists(Path("g")));
}

TEST_F(FileSystemTest, FailedPublishLeavesTheOldOne) {
  ASSERT_OK(fs_->CreateFolders(Path("model")));
  Write(Path("model/f"), "old");
  EXPECT_THAT(fs_->Publish(Path("none"), Path("model")),
              StatusIs(absl::StatusCode::kNotFound,
                       AllOf(HasSubstr(Path("none")), HasSubstr(Path("model")))));
  EXPECT_EQ(fs_->Read(Path("model/f"), kMost).value(), "old");
}

TEST_F(FileSystemTest, PublishIntoAMissingParentIsNotFoundAndKeepsTheNewOne) {
  ASSERT_OK(fs_->CreateFolders(Path("new")));
  EXPECT_THAT(fs_->Publish(Path("new"), Path("none/model")),
              StatusIs(absl::StatusCode::kNotFound, HasSubstr(Path("none/model"))));
  EXPECT_TRUE(fs_->Exists(Path("new")));
}

TEST_F(FileSystemTest, FullDiskIsResourceExhausted) {
  auto file = fs_->Create("/dev/full");
  ASSERT_OK(file);
  EXPECT_THAT((*file)->Append("x"),
              StatusIs(absl::StatusCode::kResourceExhausted, HasSubstr("/dev/full")));
}

TEST_F(FileSystemTest, ForbiddenPlacesArePermissionDeniedAndNamed) {
  ASSERT_OK(fs_->CreateFolders(Path("locked/inner")));
  ASSERT_EQ(::chmod(root_.c_str(), 0755), 0);
  ASSERT_EQ(::chmod(Path("locked").c_str(), 0), 0);
  // Modes do not stop root: act as somebody else for a moment.
  constexpr uid_t kNobody = 65534;
  const uid_t self = ::geteuid();
  if (self == 0 && ::seteuid(kNobody) != 0) {
    ASSERT_EQ(::chmod(Path("locked").c_str(), 0755), 0);
    GTEST_SKIP() << "root here cannot act as somebody else";
  }
  const auto created = fs_->Create(Path("locked/f"));
  const auto folders = fs_->CreateFolders(Path("locked/d"));
  const auto listed = fs_->List(Path("locked"));
  const auto published = fs_->Publish(Path("locked/inner"), Path("locked/model"));
  if (self == 0) {
    ASSERT_EQ(::seteuid(self), 0);
  }
  ASSERT_EQ(::chmod(Path("locked").c_str(), 0755), 0);
  const auto code = absl::StatusCode::kPermissionDenied;
  EXPECT_THAT(created, StatusIs(code, HasSubstr(Path("locked/f"))));
  EXPECT_THAT(folders, StatusIs(code, HasSubstr(Path("locked/d"))));
  EXPECT_THAT(listed, StatusIs(code, HasSubstr(Path("locked"))));
  EXPECT_THAT(published, StatusIs(code, HasSubstr(Path("locked/model"))));
}

}  // namespace
}  // namespace seraph
