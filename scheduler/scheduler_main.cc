// SPDX-License-Identifier: Apache-2.0
// seraph_scheduler: the scheduler daemon. Knows who belongs to the cluster, places tables, runs
// jobs, until SIGTERM or SIGINT. `seraph_scheduler --help` lists the flags.
#include <gflags/gflags.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/process/command_line.h"
#include "common/process/daemon.h"
#include "common/process/daemon_main.h"
#include "common/process/signal_waiter.h"
#include "common/status_macros.h"
#include "scheduler/scheduler_app.h"
#include "transport/grpc_network.h"

DEFINE_string(listen, "127.0.0.1:0", "address to serve on, HOST:PORT; port 0 lets the system pick");
DEFINE_string(lease, "3s", "a node that is silent for longer is declared dead");
DEFINE_string(spill_folder, "",
              "where large sets of scores are kept; empty: the system's temporary folder");
DEFINE_bool(insecure, false, "serve on other addresses than loopback although there is no TLS yet");
DEFINE_bool(die_with_parent, false, "end when the process that started this one ends");

namespace seraph {
namespace {

constexpr absl::string_view kProgram = "seraph_scheduler";
constexpr absl::string_view kSummary = "the control plane: members, tables and jobs of a cluster";
constexpr absl::Duration kGrace = absl::Seconds(2);

std::vector<FlagDescription> Flags() {
  std::vector<FlagDescription> flags;
  for (const char* name : {"listen", "lease", "spill_folder", "insecure", "die_with_parent"}) {
    const gflags::CommandLineFlagInfo info = gflags::GetCommandLineFlagInfoOrDie(name);
    flags.push_back({info.name, info.type == "bool", info.default_value, info.description});
  }
  return flags;
}

absl::Status Run(SignalWaiter* signals) {
  RETURN_IF_ERROR(CheckMayServe(FLAGS_listen, FLAGS_insecure));
  SchedulerApp::Options options;
  if (!absl::ParseDuration(FLAGS_lease, &options.lease)) {
    return absl::InvalidArgumentError(
        absl::StrCat("--lease=", FLAGS_lease, " is no duration such as 3s or 500ms"));
  }
  SystemClock clock;
  const std::unique_ptr<Network> network = NewGrpcNetwork();
  options.network = network.get();
  options.clock = &clock;
  options.listen = FLAGS_listen;
  options.spill_folder = FLAGS_spill_folder;
  ASSIGN_OR_RETURN(const std::unique_ptr<SchedulerApp> scheduler, SchedulerApp::Start(options));
  PrintReady(ReadyLine(kProgram, "", scheduler->address(), 0));
  const absl::Status end = WaitForSignal(signals, [] { return absl::OkStatus(); });
  scheduler->Shutdown(kGrace);
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
