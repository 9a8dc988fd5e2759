// SPDX-License-Identifier: Apache-2.0
// The daemon seraph_server: flags to Options, a ServerApp, signals.
#include <gflags/gflags.h>
#include <unistd.h>

#include <memory>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "common/process/byte_size.h"
#include "common/process/command_line.h"
#include "common/process/daemon.h"
#include "common/process/daemon_main.h"
#include "common/process/signal_waiter.h"
#include "common/status_macros.h"
#include "server/server_app.h"
#include "transport/grpc_network.h"

DEFINE_string(scheduler, "", "HOST:PORT of the scheduler. Required.");
DEFINE_string(listen, "127.0.0.1:0", "HOST:PORT to serve at; port 0 lets the system pick.");
DEFINE_string(advertise, "", "HOST or HOST:PORT that others connect to, if not where it listens.");
DEFINE_string(memory, "8GiB", "Budget of rows, parked pushes and their sums.");
DEFINE_int32(executors, 1, "Threads that own partitions.");
DEFINE_string(name, "server", "Name for people.");
DEFINE_bool(insecure, false, "Serve addresses other than loopback in the clear.");
DEFINE_bool(die_with_parent, false, "End when the process that started this one ends.");

namespace seraph {
namespace {

constexpr absl::string_view kProgram = "seraph_server";
constexpr absl::string_view kSummary = "serves partitions of tables";
constexpr absl::Duration kGrace = absl::Seconds(2);

std::vector<FlagDescription> Flags() {
  std::vector<gflags::CommandLineFlagInfo> all;
  gflags::GetAllFlags(&all);
  std::vector<FlagDescription> ours;
  for (const gflags::CommandLineFlagInfo& flag : all) {
    if (flag.filename != __FILE__) continue;  // gflags brings some of its own.
    ours.push_back({flag.name, flag.type == "bool", flag.default_value, flag.description});
  }
  return ours;
}

absl::StatusOr<ServerApp::Options> OptionsFromFlags() {
  if (FLAGS_scheduler.empty()) return absl::InvalidArgumentError("--scheduler is required");
  RETURN_IF_ERROR(CheckMayServe(FLAGS_listen, FLAGS_insecure));
  RETURN_IF_ERROR(CheckMayServe(FLAGS_advertise, FLAGS_insecure));
  ServerApp::Options options;
  options.scheduler = FLAGS_scheduler;
  options.listen = FLAGS_listen;
  options.advertise = FLAGS_advertise;
  options.name = FLAGS_name;
  options.executors = FLAGS_executors;
  const absl::StatusOr<int64_t> memory = ParseByteSize(FLAGS_memory);
  if (!memory.ok()) return Annotate(memory.status(), "flag --memory");
  options.memory_bytes = *memory;
  return options;
}

absl::Status Run(SignalWaiter* signals) {
  ASSIGN_OR_RETURN(ServerApp::Options options, OptionsFromFlags());
  SystemClock clock;
  const std::unique_ptr<FileSystem> file_system = NewPosixFileSystem();
  const std::unique_ptr<Network> network = NewGrpcNetwork();
  options.network = network.get();
  options.clock = &clock;
  options.file_system = file_system.get();
  ASSIGN_OR_RETURN(const std::unique_ptr<ServerApp> app, ServerApp::Start(options));
  PrintReady(ReadyLine(kProgram, options.name, app->address(), app->node()));
  const absl::Status end = WaitForSignal(signals, [&app] { return app->health(); });
  app->Shutdown(kGrace);
  return Annotate(end, options.name);
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
