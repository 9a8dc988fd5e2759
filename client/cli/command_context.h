// SPDX-License-Identifier: Apache-2.0
// What commands work with, passed in so that a test runs any of them in its own process.
#ifndef SERAPH_CLIENT_CLI_COMMAND_CONTEXT_H_
#define SERAPH_CLIENT_CLI_COMMAND_CONTEXT_H_

#include <functional>
#include <optional>
#include <string>

#include "client/cli/terminal.h"
#include "common/clock.h"
#include "common/file_system.h"

namespace seraph {

// The pointers are required and outlive the command.
struct CommandContext {
  Terminal terminal;
  Clock* clock = nullptr;
  FileSystem* files = nullptr;
  // SIGINT or SIGTERM when one has come since the last call.
  std::function<std::optional<int>()> interrupted = [] { return std::nullopt; };
  std::string executable;  // Own path: daemons are found from there.
  int cores = 1;           // Of the machine.
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_COMMAND_CONTEXT_H_
