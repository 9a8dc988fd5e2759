// SPDX-License-Identifier: Apache-2.0
// The commands that README.md shows run as they stand there.
#include <filesystem>
#include <string>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "gtest/gtest.h"
#include "tests/e2e/command.h"

namespace seraph {
namespace {

// Lines of its ```sh blocks that call the command.
std::vector<std::string> CommandsOf(const std::string& page) {
  std::vector<std::string> commands;
  bool shell = false;
  for (const absl::string_view line : absl::StrSplit(ReadFile(page), '\n')) {
    if (absl::StartsWith(line, "```")) shell = line == "```sh";
    if (shell && absl::StartsWith(line, "$seraph ")) commands.emplace_back(line);
  }
  return commands;
}

TEST(ReadmeTest, ItsCommandsRun) {
  const std::vector<std::string> commands = CommandsOf("README.md");
  EXPECT_GE(commands.size(), 4u);
  // A tree of its own: jobs write beside their files.
  const std::string tree = FreshPath("tree");
  std::filesystem::create_directories(tree);
  std::filesystem::copy("examples", tree + "/examples", std::filesystem::copy_options::recursive);
  for (const std::string& command : commands) {
    const CommandResult result =
        RunCommand({"/bin/bash", "-c",
                    absl::StrCat("cd '", tree, "' && seraph='", SeraphBinary(), "' && ", command)});
    EXPECT_EQ(result.exit_code, 0) << command << "\n" << result.err;
    EXPECT_EQ(result.err, "") << command;
    EXPECT_NE(result.out, "") << command;
  }
}

}  // namespace
}  // namespace seraph
