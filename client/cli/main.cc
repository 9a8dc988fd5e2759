// SPDX-License-Identifier: Apache-2.0
// seraph: the command line. `seraph --help` lists the commands, docs/ describes them.
#include <poll.h>
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
#include "client/cli/interrupt_watch.h"
#include "common/process/exit_code.h"

namespace {

// A job that is cancelled in order takes up to half of it.
constexpr absl::Duration kInterruptGrace = absl::Seconds(8);
constexpr absl::Duration kSettle = absl::Seconds(1);

// Of a pipe or a socket whose other end is closed.
bool IsReaderGone(int descriptor) {
  pollfd entry = {.fd = descriptor, .events = POLLOUT, .revents = 0};
  return poll(&entry, 1, 0) == 1 && (entry.revents & POLLERR) != 0;
}

// A terminal that can write a line anew.
bool IsLive() {
  const char* kind = std::getenv("TERM");
  return isatty(STDOUT_FILENO) == 1 && kind != nullptr && std::strcmp(kind, "dumb") != 0;
}

}  // namespace

int main(int argc, char** argv) {
  // Before the first thread.
  seraph::InterruptWatch interrupts(kSettle, kInterruptGrace, [](int signal_number) {
    constexpr char kForced[] = "error: seraph: the command did not end by itself after a signal\n";
    [[maybe_unused]] const ssize_t written = write(STDERR_FILENO, kForced, sizeof(kForced) - 1);
    _exit(seraph::ExitCodeOfSignal(signal_number));  // Children die with this process.
  });
  seraph::SystemClock clock;
  const std::unique_ptr<seraph::FileSystem> files = seraph::NewPosixFileSystem();
  std::error_code error;
  seraph::CommandContext context;
  context.terminal = {&std::cout, &std::cerr, IsLive(), [] { return IsReaderGone(STDOUT_FILENO); }};
  context.clock = &clock;
  context.files = files.get();
  context.interrupted = [&interrupts] { return interrupts.signal(); };
  context.executable = std::filesystem::read_symlink("/proc/self/exe", error).string();
  context.cores = static_cast<int>(std::thread::hardware_concurrency());
  return seraph::RunCli(std::vector<std::string>(argv + (argc > 0 ? 1 : 0), argv + argc), context);
}
