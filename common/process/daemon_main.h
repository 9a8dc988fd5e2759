// SPDX-License-Identifier: Apache-2.0
// What the mains of all daemons do around their own work: flags, --help, --version, signals, the
// end with the parent, errors and exit codes.
#ifndef SERAPH_COMMON_PROCESS_DAEMON_MAIN_H_
#define SERAPH_COMMON_PROCESS_DAEMON_MAIN_H_

#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/strings/string_view.h"
#include "common/process/command_line.h"
#include "common/process/signal_waiter.h"

namespace seraph {

struct DaemonProgram {
  absl::string_view name;     // "seraph_server"
  absl::string_view summary;  // What it does, a line.
  std::vector<FlagDescription> flags;
  // False: the value does not suit the flag.
  std::function<bool(const std::string& name, const std::string& value)> set_flag;
  const bool* die_with_parent;  // A flag's value; read once the flags are set.
  // Works until a signal comes. Its error is printed, and becomes the exit code.
  std::function<absl::Status(SignalWaiter* signals)> run;
};

// Returns the exit code. Called by main before any other thread exists; `parent` is the process
// that started this one, as main read it when it began.
int DaemonMain(const DaemonProgram& program, int argc, char** argv, int parent);

// Prints the line that says "ready" (see ReadyLine), at once.
void PrintReady(const std::string& line);

// Returns when a signal has come (OK), or `health` is no longer OK (its error).
absl::Status WaitForSignal(SignalWaiter* signals, const std::function<absl::Status()>& health);

}  // namespace seraph

#endif  // SERAPH_COMMON_PROCESS_DAEMON_MAIN_H_
