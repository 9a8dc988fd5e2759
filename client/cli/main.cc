// SPDX-License-Identifier: Apache-2.0
// seraph: the command line. `seraph --help` lists the commands, docs/ describes them.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "client/cli/cli.h"
#include "common/process/signal_waiter.h"

namespace {

// A terminal that can write a line anew.
bool IsLive() {
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

}  // namespace

int main(int argc, char** argv) {
  seraph::SignalWaiter signals;  // Before the first thread.
  seraph::SystemClock clock;
  const std::unique_ptr<seraph::FileSystem> files = seraph::NewPosixFileSystem();
  std::error_code error;
  seraph::CommandContext context;
  context.terminal = {&std::cout, &std::cerr, IsLive()};
  context.clock = &clock;
  context.files = files.get();
  context.interrupted = [&signals] { return signals.WaitFor(absl::ZeroDuration()); };
  context.executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
  context.cores = static_cast<int>(std::thread::hardware_concurrency());
  return seraph::RunCli(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), context);
}
