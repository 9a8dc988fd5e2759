// SPDX-License-Identifier: Apache-2.0
#include "common/exchange_paths.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"

namespace seraph {
namespace {

namespace stdfs = std::filesystem;

// Both ways do the same.
class ExchangePathsTest
    : public ::testing::TestWithParam<int (*)(const std::string&, const std::string&)> {
 protected:
  void SetUp() override {
    std::string pattern = ::testing::TempDir() + "exchange_paths_XXXXXX";
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    root_ = pattern;
  }
  void TearDown() override { stdfs::remove_all(root_); }

  std::string Path(const std::string& name) const { return root_ + "/" + name; }
  void MakeFolder(const std::string& name) {
    stdfs::create_directory(Path(name));
    std::ofstream(Path(name) + "/f") << name;
  }
  std::string Holds(const std::string& name) const {
    std::ifstream file(Path(name) + "/f");
    return std::string(std::istreambuf_iterator<char>(file), {});
  }
  size_t Entries() const {
    return static_cast<size_t>(
        std::distance(stdfs::directory_iterator(root_), stdfs::directory_iterator()));
  }

  std::string root_;
};

TEST_P(ExchangePathsTest, FoldersChangePlaces) {
  MakeFolder("a");
  MakeFolder("b");
  EXPECT_EQ(GetParam()(Path("a"), Path("b")), 0);
  EXPECT_EQ(Holds("a"), "b");
  EXPECT_EQ(Holds("b"), "a");
  EXPECT_EQ(Entries(), 2u);
}

TEST_P(ExchangePathsTest, AnErrorLeavesBothInPlace) {
  MakeFolder("b");
  EXPECT_EQ(GetParam()(Path("none"), Path("b")), ENOENT);
  EXPECT_EQ(Holds("b"), "b");
  EXPECT_EQ(GetParam()(Path("b"), Path("none")), ENOENT);
  EXPECT_EQ(Holds("b"), "b");
  EXPECT_EQ(Entries(), 1u);
}

INSTANTIATE_TEST_SUITE_P(Ways, ExchangePathsTest,
                         ::testing::Values(&ExchangePaths, &ExchangeByRenames));

}  // namespace
}  // namespace seraph
