// SPDX-License-Identifier: Apache-2.0
// The command line of `seraph`: which words mean which command with which flags.
#ifndef SERAPH_CLIENT_CLI_CLI_H_
#define SERAPH_CLIENT_CLI_CLI_H_

#include <string>
#include <vector>

#include "client/cli/command_context.h"

namespace seraph {

// Runs the command that `words` (without the program's name) ask for and returns the exit code.
// Mistakes in the words are exit 2 with the nearest valid one. --help and --version are exit 0.
int RunCli(const std::vector<std::string>& words, const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_CLI_H_
