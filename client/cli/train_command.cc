// SPDX-License-Identifier: Apache-2.0
#include "client/cli/train_command.h"

#include <memory>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "client/cli/cluster/cluster.h"
#include "client/cli/cluster/daemon_paths.h"
#include "client/cli/cluster/local_cluster.h"
#include "client/cli/cluster/process_cluster.h"
#include "client/cli/dry_run.h"
#include "client/cli/job_reporter.h"
#include "client/cli/load_job.h"
#include "client/cli/watch_job.h"
#include "common/process/exit_code.h"
#include "common/status_macros.h"
#include "scheduler/agent/agent.h"
#include "server/checkpoint/model_folder.h"
#include "worker/model/registry.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

constexpr absl::Duration kSubmitTimeout = absl::Seconds(10);
constexpr absl::Duration kShutdownGrace = absl::Seconds(3);
// After a failure some part may not answer any more.
constexpr absl::Duration kFailedGrace = absl::Seconds(1);

absl::StatusOr<std::unique_ptr<Cluster>> StartCluster(const v1::ClusterSpec& spec, bool processes,
                                                      const CommandContext& context) {
  const ClusterSize size = {static_cast<int>(spec.servers()), static_cast<int>(spec.workers())};
  if (!processes) {
    return StartLocalCluster({.size = size, .clock = context.clock, .file_system = context.files});
  }
  ASSIGN_OR_RETURN(DaemonPaths daemons, FindDaemons(*context.files, context.executable));
  return StartProcessCluster({.size = size,
                              .daemons = std::move(daemons),
                              .clock = context.clock,
                              .interrupted = context.interrupted});
}

// Submits the job and follows it. The cluster is up before and down after.
JobEnd RunJob(const v1::JobSpec& job, bool processes, const CommandContext& context,
              JobReporter* reporter) {
  absl::StatusOr<std::unique_ptr<Cluster>> cluster =
      StartCluster(job.cluster(), processes, context);
  if (!cluster.ok()) return JobEnd{cluster.status(), context.interrupted().value_or(0), {}};
  absl::StatusOr<std::unique_ptr<SchedulerAgent>> agent =
      SchedulerAgent::Connect((*cluster)->network(), context.clock, (*cluster)->scheduler());
  if (!agent.ok()) return JobEnd{agent.status(), 0, {}};
  const absl::StatusOr<uint64_t> id = (*agent)->SubmitJob(job, kSubmitTimeout);
  if (!id.ok()) {
    const absl::Status trouble = (*cluster)->Health();
    return JobEnd{trouble.ok() ? Annotate(id.status(), "submit the job") : trouble, 0, {}};
  }
  JobEnd end = WatchJobToEnd({.agent = agent->get(),
                              .cluster = cluster->get(),
                              .clock = context.clock,
                              .reporter = reporter,
                              .interrupted = context.interrupted},
                             *id);
  (*cluster)->Shutdown(end.status.ok() ? kShutdownGrace : kFailedGrace);
  if (!end.status.ok() && !job.output().model().empty()) {
    // Of a worker that was killed while it saved.
    for (const int process : (*cluster)->process_ids()) {
      RemoveStagings(context.files, job.output().model(), process);
    }
  }
  return end;
}

absl::StatusOr<PredictionKind> KindOf(const v1::JobSpec& job) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, NewModel(ModelOptionsOf(job)));
  return model->prediction_kind();
}

// A job that does not start ends for programs as one that failed.
int Refuse(const TrainFlags& flags, const absl::Status& status, const CommandContext& context) {
  if (flags.json && !flags.dry_run) {
    NewJsonReporter({}, PredictionKind::kBinary, context.terminal.out)->Ended({status, 0, {}});
  }
  return context.Fail(status, "");
}

}  // namespace

int RunTrain(const TrainFlags& flags, const CommandContext& context) {
  const Terminal& terminal = context.terminal;
  const absl::StatusOr<v1::JobSpec> job =
      LoadJob(context.files, {.path = flags.job,
                              .overrides = flags.overrides,
                              .cores = context.cores,
                              .interrupted = context.interrupted});
  if (!job.ok()) return Refuse(flags, job.status(), context);
  if (flags.dry_run) {
    const absl::Status printed = PrintDryRun(*job, flags.json, terminal);
    return printed.ok() ? kExitDone : terminal.Fail(printed);
  }
  const absl::StatusOr<PredictionKind> kind = KindOf(*job);
  if (!kind.ok()) return Refuse(flags, kind.status(), context);
  const std::unique_ptr<JobReporter> reporter = flags.json
                                                    ? NewJsonReporter(*job, *kind, terminal.out)
                                                    : NewTextReporter(*job, *kind, terminal);
  const JobEnd end = RunJob(*job, flags.processes, context, reporter.get());
  reporter->Ended(end);
  const absl::Status status = end.status.ok() ? terminal.Finish() : end.status;
  if (status.ok()) return kExitDone;
  const int code = terminal.Fail(status, "train " + job->name());
  return end.signal_number != 0 ? ExitCodeOfSignal(end.signal_number) : code;
}

}  // namespace seraph
