// SPDX-License-Identifier: Apache-2.0
#include "common/process/daemon_main.h"

#include <cstdio>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/process/daemon.h"
#include "common/process/error_line.h"
#include "common/process/exit_code.h"
#include "common/status_macros.h"
#include "common/version.h"

namespace seraph {
namespace {

// How soon a daemon notices that its health is gone.
constexpr absl::Duration kLook = absl::Milliseconds(200);

void Print(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fflush(stdout);
}

absl::Status Run(const DaemonProgram& program, int parent) {
  SignalWaiter signals;  // Before the first thread, so that all block what it waits for.
  if (*program.die_with_parent) RETURN_IF_ERROR(DieWithParent(parent));
  return program.run(&signals);
}

}  // namespace

int DaemonMain(const DaemonProgram& program, int argc, char** argv, int parent) {
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  const absl::StatusOr<CommandLineAction> action =
      ParseCommandLine(words, program.flags, program.set_flag);
  if (!action.ok()) {
    PrintError(stderr, program.name, action.status(),
               absl::StrCat(program.name, " --help lists the flags"));
    return ExitCode(action.status());
  }
  if (*action == CommandLineAction::kHelp) {
    Print(HelpText(program.name, program.summary, program.flags));
    return kExitDone;
  }
  if (*action == CommandLineAction::kVersion) {
    Print(absl::StrCat(program.name, " ", kVersion, "\n"));
    return kExitDone;
  }
  const absl::Status status = Run(program, parent);
  if (!status.ok()) PrintError(stderr, program.name, status);
  return ExitCode(status);
}

void PrintReady(const std::string& line) { Print(line); }

absl::Status WaitForSignal(SignalWaiter* signals, const std::function<absl::Status()>& health) {
  while (true) {
    RETURN_IF_ERROR(health());
    if (signals->WaitFor(kLook).has_value()) return absl::OkStatus();
  }
}

}  // namespace seraph
