// SPDX-License-Identifier: Apache-2.0
// All jobs of the cluster, and who works on them: jobs wait for servers and free slots, get all
// that they ask for at once, and give it back when they end.
#ifndef SERAPH_SCHEDULER_JOB_BOARD_H_
#define SERAPH_SCHEDULER_JOB_BOARD_H_

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "absl/time/time.h"
#include "scheduler/job_machine.h"
#include "scheduler/membership.h"
#include "scheduler/table_catalogue.h"

namespace seraph {

// The group that holds the tables of a job: "job-17".
std::string GroupOfJob(uint64_t job);
// The job whose group this is; nothing for other groups.
std::optional<uint64_t> JobOfGroup(absl::string_view group);

// Not thread-safe. Pure: a function of what it was told and when. What a worker asks for takes time
// in the number of its own slots, whatever the number of jobs.
class JobBoard {
 public:
  // What a rank of a job is to do.
  struct Assignment {
    uint64_t job = 0;
    uint32_t rank = 0;
    bool joins = false;  // The worker does not know the job yet.
    Task task;
  };

  // The job's id: from 1, never reused. RESOURCE_EXHAUSTED while there are kMostOpen jobs that have
  // not ended.
  absl::StatusOr<uint64_t> Submit(const JobPlan& plan);

  // Starts, and returns, every waiting job, the oldest first, for which there are enough live
  // servers and free slots; a job that does not fit lets later ones pass. Ranks go round the
  // workers in the natural order of their names, so that rank 0 is the first worker's; servers are
  // those with the fewest jobs.
  std::vector<uint64_t> StartPending(const Membership& members, absl::Time now);

  // Fails, and returns, the running jobs that the dead node takes part in, naming it.
  std::vector<uint64_t> NodeDied(const Node& node, absl::Time now);

  // The task of a slot of `node` that is free. `idle_asks`: how many slots of the node ask so,
  // this one included; when a node asks more often than it has free slots, an answer that gave it a
  // job was lost and comes again. Nothing: wait.
  std::optional<Assignment> ForIdle(const Node& node, uint32_t idle_asks);

  // NOT_FOUND: no such job, or it ended long ago; FAILED_PRECONDITION: the rank is not this node's.
  absl::Status CheckRank(const Node& node, uint64_t job, uint32_t rank) const;

  // The task of a rank that knows its job. Nothing: wait. Errors as of CheckRank.
  absl::StatusOr<std::optional<Assignment>> ForRank(const Node& node, uint64_t job, uint32_t rank);

  // NOT_FOUND names the job.
  absl::StatusOr<JobMachine*> Find(uint64_t job);
  // The job's servers, in the natural order of their names; empty before it starts. REQUIRES: it
  // exists.
  const std::vector<ServerRef>& ServersOf(uint64_t job) const { return jobs_.at(job).servers; }

  // Nodes that hold ranks of the job which no slot has taken up yet. REQUIRES: the job exists.
  std::vector<uint64_t> NodesToJoin(uint64_t job) const;

  // Jobs that ended since the last call. Their slots are free but for ranks that have yet to be
  // told to finish.
  std::vector<uint64_t> TakeEnded();

  // Jobs that have not ended, as far as TakeEnded has told, ascending.
  const std::vector<uint64_t>& open() const { return open_; }

  static constexpr size_t kEndedKept = 1000;  // Older ones are forgotten.
  static constexpr size_t kMostOpen = 1000;

 private:
  struct Seat {
    uint64_t node = 0;
    bool joined = false;     // A task was handed out.
    bool confirmed = false;  // The worker has asked as this rank since.
    bool released = false;   // The slot is free again.
  };
  struct Job {
    explicit Job(const JobPlan& plan) : machine(plan) {}
    JobMachine machine;
    std::vector<Seat> seats;  // By rank; empty before the start.
    std::vector<ServerRef> servers;
  };

  using Place = std::pair<uint64_t, uint32_t>;  // A job and a rank of it.

  bool TryStart(uint64_t id, Job* job, const Membership& members, absl::Time now);
  std::vector<ServerRef> PickServers(const JobPlan& plan, const Membership& members) const;
  std::vector<Seat> PickSeats(const JobPlan& plan, const Membership& members) const;
  uint32_t TakenSlots(uint64_t node) const;
  void Release(uint64_t id, uint32_t rank);
  void Forget();
  std::optional<Assignment> Join(uint64_t id, uint32_t rank);

  uint64_t next_id_ = 1;
  std::map<uint64_t, Job> jobs_;
  std::vector<uint64_t> open_;                  // Not ended, or ended and not yet taken, ascending.
  std::deque<uint64_t> ended_;                  // Taken, in the order of their ends.
  std::map<uint64_t, std::set<Place>> places_;  // By node: seats that are not released.
  std::map<uint64_t, size_t> open_jobs_of_server_;  // By node.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_JOB_BOARD_H_
