// SPDX-License-Identifier: Apache-2.0
// seraph_worker: the worker daemon. Registers with a scheduler and runs the tasks of jobs in its
// slots until SIGTERM or SIGINT. `seraph_worker --help` lists the flags.
#include <gflags/gflags.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "common/process/command_line.h"
#include "common/process/daemon.h"
#include "common/process/daemon_main.h"
#include "common/process/signal_waiter.h"
#include "common/status_macros.h"
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
    "runs the tasks of jobs: reads data, computes, pulls and pushes";
constexpr absl::Duration kGrace = absl::Seconds(2);

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

absl::Status Run(SignalWaiter* signals) {
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
  PrintReady(ReadyLine(kProgram, FLAGS_name, "", worker->node()));
  const absl::Status end = WaitForSignal(signals, [&worker] { return worker->health(); });
  worker->Shutdown(kGrace);
  return end;
}

bool SetFlag(const std::string& name, const std::string& value) {
  return !gflags::SetCommandLineOption(name.c_str(), value.c_str()).empty();
}

}  // namespace
}  // namespace seraph

int main(int argc, char** argv) {
  const int parent = getppid();
  return seraph::DaemonMain({.name = seraph::kProgram,
                             .summary = seraph::kSummary,
                             .flags = seraph::Flags(),
                             .set_flag = seraph::SetFlag,
                             .die_with_parent = &FLAGS_die_with_parent,
                             .run = seraph::Run},
                            argc, argv, parent);
}
