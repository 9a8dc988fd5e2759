// SPDX-License-Identifier: Apache-2.0
// seraph_worker: the worker daemon. Registers with a scheduler and runs the tasks of jobs in its
// slots until SIGTERM or SIGINT. `seraph_worker --help` lists the flags.
#include <gflags/gflags.h>
#include <unistd.h>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "common/process/command_line.h"
#include "common/process/daemon.h"
#include "common/process/error_line.h"
#include "common/process/exit_code.h"
#include "common/process/signal_waiter.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "transport/grpc_network.h"
#include "worker/worker_app.h"

DEFINE_string(scheduler, "", "the scheduler's address, HOST:PORT; required");
DEFINE_string(name, "worker", "name for people, unique in the cluster");
DEFINE_string(slots, "cpu:1", "slots to run tasks in: cpu:N");
DEFINE_string(spill_folder, "",
              "where inflated data is kept; empty: the system's temporary folder");
DEFINE_bool(die_with_parent, false, "end when the process that started this one ends");

namespace seraph {
namespace {

constexpr absl::string_view kProgram = "seraph_worker";
constexpr absl::string_view kSummary =
    "seraph_worker: runs the tasks of jobs: reads data, computes, pulls and pushes.";
constexpr absl::Duration kGrace = absl::Seconds(2);
constexpr absl::Duration kLook = absl::Milliseconds(200);

std::vector<FlagDescription> Flags() {
  std::vector<FlagDescription> flags;
  for (const char* name : {"scheduler", "name", "slots", "spill_folder", "die_with_parent"}) {
    const gflags::CommandLineFlagInfo info = gflags::GetCommandLineFlagInfoOrDie(name);
    flags.push_back({info.name, info.type == "bool", info.default_value, info.description});
  }
  return flags;
}

absl::StatusOr<int> ParseSlots(absl::string_view text) {
  if (absl::StartsWith(text, "gpu:")) {
    return absl::UnimplementedError(
        absl::StrCat("--slots=", text, ": GPU slots are not in this version"));
  }
  int slots = 0;
  if (!absl::ConsumePrefix(&text, "cpu:") || !absl::SimpleAtoi(text, &slots)) {
    return absl::InvalidArgumentError(absl::StrCat("--slots=", FLAGS_slots, " is not cpu:N"));
  }
  return slots;
}

// Serves until a signal comes (nothing is returned) or the scheduler declares the worker dead.
absl::Status Serve(WorkerApp* worker, SignalWaiter* signals) {
  while (worker->health().ok()) {
    if (signals->WaitFor(kLook).has_value()) break;
  }
  const absl::Status health = worker->health();
  worker->Shutdown(kGrace);
  return health;
}

absl::Status Run(int parent) {
  SignalWaiter signals;  // Before the first thread, so that all block what it waits for.
  if (FLAGS_die_with_parent) RETURN_IF_ERROR(DieWithParent(parent));
  if (FLAGS_scheduler.empty()) return absl::InvalidArgumentError("--scheduler is required");
  ASSIGN_OR_RETURN(const int slots, ParseSlots(FLAGS_slots));
  SystemClock clock;
  const std::unique_ptr<Network> network = NewGrpcNetwork();
  const std::unique_ptr<FileSystem> file_system = NewPosixFileSystem();
  WorkerApp::Options options;
  options.network = network.get();
  options.clock = &clock;
  options.file_system = file_system.get();
  options.scheduler = FLAGS_scheduler;
  options.name = FLAGS_name;
  options.slots = slots;
  options.spill_folder = FLAGS_spill_folder;
  ASSIGN_OR_RETURN(const std::unique_ptr<WorkerApp> worker, WorkerApp::Start(options));
  std::fputs(ReadyLine(kProgram, FLAGS_name, "", worker->node()).c_str(), stdout);
  std::fflush(stdout);
  return Serve(worker.get(), &signals);
}

int Main(const std::vector<std::string>& words, int parent) {
  const auto set = [](const std::string& name, const std::string& value) {
    return !gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty();
  };
  const absl::StatusOr<CommandLineAction> action = ParseCommandLine(words, Flags(), set);
  if (!action.ok()) {
    PrintError(stderr, kProgram, action.status(), "seraph_worker --help lists the flags");
    return ExitCode(action.status());
  }
  if (*action == CommandLineAction::kHelp) {
    std::fputs(HelpText(kProgram, kSummary, Flags()).c_str(), stdout);
    return kExitDone;
  }
  if (*action == CommandLineAction::kVersion) {
    std::printf("%s\n", absl::StrCat(kProgram, " ", kVersion).c_str());
    return kExitDone;
  }
  const absl::Status status = Run(parent);
  if (!status.ok()) PrintError(stderr, kProgram, status);
  return ExitCode(status);
}

}  // namespace
}  // namespace seraph

int main(int argc, char** argv) {
  const int parent = getppid();
  return seraph::Main(std::vector<std::string>(argv + 1, argv + argc), parent);
}
