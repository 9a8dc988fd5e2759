// SPDX-License-Identifier: Apache-2.0
// Files larger than memory: a process that may have little of it trains on a file of four times as
// much.
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

constexpr uint64_t kLimitBytes = 64 << 20;
constexpr int kColumns = 120;

// Rows of about 800 bytes, as many as fill that many bytes; returns their number.
uint64_t WriteRows(const std::string& path, uint64_t bytes) {
  std::string some;
  uint64_t rows_of_some = 0;
  for (; some.size() < (1 << 20); ++rows_of_some) {
    absl::StrAppend(&some, rows_of_some % 2);
    for (uint64_t j = 0; j < kColumns; ++j) {
      absl::StrAppend(&some, " ", 100 * j + (rows_of_some * (j + 3)) % 97 + 1, ":1");
    }
    some += '\n';
  }
  std::ofstream file(path, std::ios::binary);
  uint64_t rows = 0;
  for (uint64_t written = 0; written < bytes; written += some.size()) {
    file << some;
    rows += rows_of_some;
  }
  return rows;
}

// All memory that the process can write to counts: heap, mappings and the stacks of its threads,
// which are as large as the shell says.
CommandResult RunWithin(uint64_t bytes, const std::vector<std::string>& args) {
  std::vector<std::string> argv = {
      "/bin/sh", "-c", absl::StrCat("ulimit -s 256 && ulimit -d ", bytes >> 10, " && exec \"$@\""),
      "sh", SeraphBinary()};
  argv.insert(argv.end(), args.begin(), args.end());
  return RunCommand(argv, absl::Minutes(4));
}

TEST(MemoryTest, AFileFourTimesTheLimitOfTheProcessTrains) {
  const std::string data = FreshPath("rows");
  const uint64_t rows = WriteRows(data, 4 * kLimitBytes);
  ASSERT_GE(std::filesystem::file_size(data), 4 * kLimitBytes);
  const std::string job =
      WriteFile("job.yaml", absl::StrCat("model: {type: lr}\n"
                                         "data: {train: ",
                                         data,
                                         ", format: libsvm, index_base: 1}\n"
                                         "train: {epochs: 1, batch_size: 4096}\n"
                                         "cluster: {servers: 1, workers: 1}\n"
                                         "output: {model: ",
                                         FreshPath("model"), "}\n"));
  const CommandResult trained = RunWithin(kLimitBytes, {"train", job, "--json"});
  EXPECT_EQ(trained.exit_code, 0) << trained.err;
  EXPECT_EQ(trained.LastEvent()["rows_read"], rows);
  // The limit is one: a sixteenth of it is too little for anything.
  EXPECT_NE(RunWithin(kLimitBytes / 16, {"train", job, "--json"}).exit_code, 0);
  std::filesystem::remove(data);
}

}  // namespace
}  // namespace seraph
