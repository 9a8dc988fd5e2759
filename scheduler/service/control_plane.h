// SPDX-License-Identifier: Apache-2.0
// The scheduler's cores joined, spoken to in messages: decode, ask the cores, encode. Waits for
// nothing: what has no answer yet is asked again when something has changed.
#ifndef SERAPH_SCHEDULER_SERVICE_CONTROL_PLANE_H_
#define SERAPH_SCHEDULER_SERVICE_CONTROL_PLANE_H_

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "proto/control.pb.h"
#include "scheduler/job_board.h"
#include "scheduler/membership.h"
#include "scheduler/placement.h"
#include "scheduler/table_catalogue.h"

namespace seraph {

// Not thread-safe.
class ControlPlane {
 public:
  // Nothing: no answer yet.
  using MaybeReply = std::optional<absl::StatusOr<v1::ControlReply>>;

  // `cluster` is the cluster's name, as nodes are told.
  ControlPlane(absl::Duration lease, std::string cluster);

  // Requests that are answered at once: all but next_task, watch_job and report_scores.
  // INVALID_ARGUMENT for an empty or unknown one.
  absl::StatusOr<v1::ControlReply> Answer(const v1::ControlRequest& request, absl::Time now);

  // Hears from the node that asks for a task. NOT_FOUND: it is unknown or dead, or there is no such
  // job; INVALID_ARGUMENT: it is no worker; FAILED_PRECONDITION: the rank is not the node's.
  absl::Status Hear(const v1::NextTask& request, absl::Time now);
  // Takes in the result that comes with the request. One that makes no sense fails the job: the
  // worker would hand it in again and again. REQUIRES: Hear was fine, there is a result.
  void TakeResult(const v1::NextTask& request, absl::Time now);
  // The task to answer with. `idle_asks`: see JobBoard::ForIdle.
  MaybeReply TryNextTask(uint64_t node, uint64_t job, uint32_t rank, uint32_t idle_asks);

  MaybeReply TryWatch(uint64_t job, uint64_t after);

  // Whether scores may be added for this rank and task now. Errors as of Hear, and
  // JobMachine::CheckScoring's.
  absl::Status CheckScoring(uint64_t node, uint64_t job, uint32_t rank, uint64_t task);
  void SetScores(uint64_t job, uint64_t task, const absl::StatusOr<CountedScores>& scores,
                 absl::Time now);
  // Jobs, with the task, that have begun to wait for SetScores since the last call.
  std::vector<std::pair<uint64_t, uint64_t>> TakeScoresWanted();

  // Declares nodes dead whose lease has run out.
  void Expire(absl::Time now);
  absl::Time next_expiry() const { return members_.next_expiry(); }

  // What follows from what has changed: starts jobs that fit, clears away after those that ended,
  // which it returns.
  std::vector<uint64_t> Settle(absl::Time now);

  // Whom what has happened since the last call may concern; others need not be asked again.
  struct Changes {
    std::set<uint64_t> told;   // Jobs with new events: those who watch them.
    std::set<uint64_t> moved;  // Jobs that have come to another task: their ranks.
    std::set<uint64_t> nodes;  // That have died, or may have work for a free slot: their slots.
    bool empty() const { return told.empty() && moved.empty() && nodes.empty(); }
  };
  Changes TakeChanges() { return std::exchange(changes_, Changes()); }

 private:
  // What travels with a job's messages and means nothing to its machine.
  struct JobRecord {
    v1::JobSpec spec;           // At the job's end all but its output is dropped,
    v1::DataIndex train, test;  // and these are,
    v1::DataFit fit;            // likewise.
    std::vector<v1::ServerUse> servers;
    // What Note has seen of the machine: its last event, its task, and the task that it has wanted
    // scores for.
    uint64_t event = 0;
    uint64_t task = 0;
    uint64_t scores_task = 0;
  };

  absl::StatusOr<v1::ControlReply> Register(const v1::RegisterNode& request, absl::Time now);
  absl::StatusOr<v1::ControlReply> Exited(const v1::NodeExited& request, absl::Time now);
  v1::ControlReply ListNodes() const;
  absl::StatusOr<v1::ControlReply> CreateTable(const v1::CreateTable& request);
  absl::StatusOr<std::vector<ServerRef>> ServersFor(const v1::CreateTable& request);
  absl::Status CheckServersAlive(const TableEntry& table) const;
  absl::StatusOr<v1::ControlReply> Submit(const v1::JobSpec& spec);
  absl::StatusOr<v1::ControlReply> Cancel(const v1::CancelJob& request, absl::Time now);
  absl::StatusOr<v1::ControlReply> Lease(const v1::LeaseShard& request);
  absl::StatusOr<v1::ControlReply> Progress(const v1::ReportProgress& request, absl::Time now);
  // The job's machine, for a request about a rank that is given to the node. Errors as of Hear.
  absl::StatusOr<JobMachine*> MachineFor(uint64_t node, uint64_t job, uint32_t rank);
  absl::StatusOr<bool> HandIn(const v1::NextTask& request, JobMachine* machine, absl::Time now);
  void Keep(const v1::NextTask& request);
  v1::ControlReply EncodeAssignment(const JobBoard::Assignment& assignment);
  // After whatever may have changed the job's machine: whom it concerns. REQUIRES: the job exists.
  void Note(uint64_t job);
  void Died(const Node& node, absl::Time now);
  void ClearAwayAfter(uint64_t job);

  const std::string cluster_;
  const ContiguousPlacement placement_;
  Membership members_;
  TableCatalogue tables_;
  JobBoard board_;
  std::map<uint64_t, JobRecord> records_;  // By job.
  Changes changes_;
  std::vector<std::pair<uint64_t, uint64_t>> scores_wanted_;  // Job, task.
  bool any_ended_ = false;                                    // Since the last Settle.
  bool has_room_ = false;  // Likewise: a job waits, or there may be room, that did not before.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_CONTROL_PLANE_H_
