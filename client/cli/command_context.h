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
#include "common/process/exit_code.h"

namespace seraph {

// The pointers are required and outlive the command.
struct CommandContext {
  Terminal terminal;
  Clock* clock = nullptr;
  FileSystem* files = nullptr;
  // SIGINT or SIGTERM when one has come; from then on always.
  std::function<std::optional<int>()> interrupted = [] { return std::nullopt; };
  std::string executable;  // Own path: daemons are found from there.
  int cores = 1;           // Of the machine.

  // Terminal::Fail; the exit code is the signal's when one has come.
  int Fail(const absl::Status& status, absl::string_view what) const {
    const int code = terminal.Fail(status, what);
    const std::optional<int> signal = interrupted();
    return signal.has_value() ? ExitCodeOfSignal(*signal) : code;
  }
};

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_COMMAND_CONTEXT_H_
