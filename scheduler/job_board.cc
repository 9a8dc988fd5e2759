// SPDX-License-Identifier: Apache-2.0
#include "scheduler/job_board.h"

#include <algorithm>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/strip.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

constexpr absl::string_view kGroupPrefix = "job-";

}  // namespace

std::string GroupOfJob(uint64_t job) { return absl::StrCat(kGroupPrefix, job); }

std::optional<uint64_t> JobOfGroup(absl::string_view group) {
  uint64_t job = 0;
  if (!absl::ConsumePrefix(&group, kGroupPrefix) || !absl::SimpleAtoi(group, &job)) {
    return std::nullopt;
  }
  return job;
}

absl::StatusOr<uint64_t> JobBoard::Submit(const JobPlan& plan) {
  if (open_.size() >= kMostOpen) {
    return absl::ResourceExhaustedError(
        absl::StrCat("submit job: the cluster has ", open_.size(), " jobs that have not ended"));
  }
  const uint64_t id = next_id_++;
  jobs_.emplace(id, Job(plan));
  open_.push_back(id);
  return id;
}

std::vector<uint64_t> JobBoard::StartPending(const Membership& members, absl::Time now) {
  std::vector<uint64_t> started;
  for (const uint64_t id : open_) {
    Job& job = jobs_.at(id);
    if (job.machine.phase() != Phase::kPending) continue;
    if (TryStart(id, &job, members, now)) started.push_back(id);
  }
  return started;
}

bool JobBoard::TryStart(uint64_t id, Job* job, const Membership& members, absl::Time now) {
  const JobPlan& plan = job->machine.plan();
  std::vector<ServerRef> servers = PickServers(plan, members);
  if (servers.size() < plan.servers) return false;
  std::vector<Seat> seats = PickSeats(plan, members);
  if (seats.size() < plan.workers) return false;
  job->servers = std::move(servers);
  job->seats = std::move(seats);
  for (const ServerRef& server : job->servers) ++open_jobs_of_server_[server.node];
  for (uint32_t rank = 0; rank < job->seats.size(); ++rank) {
    places_[job->seats[rank].node].emplace(id, rank);
  }
  job->machine.Start(now);
  return true;
}

std::vector<ServerRef> JobBoard::PickServers(const JobPlan& plan, const Membership& members) const {
  struct Candidate {
    size_t order;  // Of names.
    size_t jobs = 0;
    ServerRef ref;
  };
  std::vector<Candidate> candidates;
  for (const Node* node : members.Live(NodeKind::kServer)) {
    Candidate candidate{candidates.size(), 0, {node->id, node->info.address}};
    const auto jobs = open_jobs_of_server_.find(node->id);
    if (jobs != open_jobs_of_server_.end()) candidate.jobs = jobs->second;
    candidates.push_back(std::move(candidate));
  }
  std::stable_sort(candidates.begin(), candidates.end(),
                   [](const Candidate& a, const Candidate& b) { return a.jobs < b.jobs; });
  if (candidates.size() > plan.servers) candidates.resize(plan.servers);
  std::sort(candidates.begin(), candidates.end(),
            [](const Candidate& a, const Candidate& b) { return a.order < b.order; });
  std::vector<ServerRef> picked;
  for (Candidate& candidate : candidates) picked.push_back(std::move(candidate.ref));
  return picked;
}

std::vector<JobBoard::Seat> JobBoard::PickSeats(const JobPlan& plan,
                                                const Membership& members) const {
  struct Room {
    uint64_t node;
    uint32_t free;
  };
  std::vector<Room> rooms;
  for (const Node* node : members.Live(NodeKind::kWorker)) {
    const uint32_t taken = TakenSlots(node->id);
    if (taken < node->info.slots) rooms.push_back({node->id, node->info.slots - taken});
  }
  std::vector<Seat> seats;
  for (bool found = true; found && seats.size() < plan.workers;) {
    found = false;
    for (Room& room : rooms) {
      if (room.free == 0 || seats.size() == plan.workers) continue;
      --room.free;
      seats.push_back({.node = room.node});
      found = true;
    }
  }
  return seats;
}

uint32_t JobBoard::TakenSlots(uint64_t node) const {
  const auto places = places_.find(node);
  return places == places_.end() ? 0 : static_cast<uint32_t>(places->second.size());
}

void JobBoard::Release(uint64_t id, uint32_t rank) {
  Seat& seat = jobs_.at(id).seats[rank];
  if (seat.released) return;
  seat.released = true;
  const auto places = places_.find(seat.node);
  places->second.erase({id, rank});
  if (places->second.empty()) places_.erase(places);
}

std::vector<uint64_t> JobBoard::NodeDied(const Node& node, absl::Time now) {
  std::set<uint64_t> concerned;
  if (const auto places = places_.find(node.id); places != places_.end()) {
    const std::set<Place> held = places->second;
    for (const auto& [id, rank] : held) {
      concerned.insert(id);
      Release(id, rank);
    }
  }
  for (const uint64_t id : open_) {
    for (const ServerRef& server : jobs_.at(id).servers) {
      if (server.node == node.id) concerned.insert(id);
    }
  }
  std::vector<uint64_t> failed;
  for (const uint64_t id : concerned) {
    JobMachine& machine = jobs_.at(id).machine;
    if (machine.ended()) continue;
    machine.Fail(absl::AbortedError(DescribeDeath(node)), now);
    failed.push_back(id);
  }
  return failed;
}

std::vector<uint64_t> JobBoard::NodesToJoin(uint64_t id) const {
  std::vector<uint64_t> nodes;
  for (const Seat& seat : jobs_.at(id).seats) {
    if (!seat.joined && !seat.released) nodes.push_back(seat.node);
  }
  return nodes;
}

std::optional<JobBoard::Assignment> JobBoard::Join(uint64_t id, uint32_t rank) {
  Job& job = jobs_.at(id);
  std::optional<Task> task = job.machine.TaskFor(rank);
  if (!task.has_value()) return std::nullopt;
  job.seats[rank].joined = true;
  if (job.machine.ended()) Release(id, rank);
  return Assignment{id, rank, true, *std::move(task)};
}

std::optional<JobBoard::Assignment> JobBoard::ForIdle(const Node& node, uint32_t idle_asks) {
  const auto places = places_.find(node.id);
  if (places == places_.end()) return std::nullopt;
  const std::set<Place> held = places->second;  // Join may release one.
  uint32_t at_work = 0;
  for (const auto& [id, rank] : held) {
    if (jobs_.at(id).seats[rank].joined) {
      ++at_work;
    } else if (std::optional<Assignment> joins = Join(id, rank); joins.has_value()) {
      return joins;
    }
  }
  if (idle_asks + at_work <= node.info.slots) return std::nullopt;
  for (const auto& [id, rank] : held) {
    const Seat& seat = jobs_.at(id).seats[rank];
    if (!seat.joined || seat.confirmed) continue;
    if (std::optional<Assignment> again = Join(id, rank); again.has_value()) return again;
  }
  return std::nullopt;
}

absl::Status JobBoard::CheckRank(const Node& node, uint64_t id, uint32_t rank) const {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return absl::NotFoundError(absl::StrCat("no job ", id));
  const Job& job = found->second;
  if (rank >= job.seats.size() || job.seats[rank].node != node.id) {
    return absl::FailedPreconditionError(
        absl::StrCat("rank ", rank, " of job ", id, " is not given to ", Describe(node)));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::optional<JobBoard::Assignment>> JobBoard::ForRank(const Node& node, uint64_t id,
                                                                      uint32_t rank) {
  RETURN_IF_ERROR(CheckRank(node, id, rank));
  Job& job = jobs_.at(id);
  Seat& seat = job.seats[rank];
  seat.joined = true;
  seat.confirmed = true;
  std::optional<Task> task = job.machine.TaskFor(rank);
  if (!task.has_value()) return std::optional<Assignment>();
  if (job.machine.ended()) Release(id, rank);
  return std::optional<Assignment>(Assignment{id, rank, false, *std::move(task)});
}

absl::StatusOr<JobMachine*> JobBoard::Find(uint64_t id) {
  const auto found = jobs_.find(id);
  if (found == jobs_.end()) return absl::NotFoundError(absl::StrCat("no job ", id));
  return &found->second.machine;
}

std::vector<uint64_t> JobBoard::TakeEnded() {
  std::vector<uint64_t> taken;
  for (const uint64_t id : open_) {
    Job& job = jobs_.at(id);
    if (!job.machine.ended()) continue;
    taken.push_back(id);
    // A rank that never heard of the job need not hear of its end.
    for (uint32_t rank = 0; rank < job.seats.size(); ++rank) {
      if (!job.seats[rank].joined) Release(id, rank);
    }
    for (const ServerRef& server : job.servers) {
      const auto jobs = open_jobs_of_server_.find(server.node);
      if (--jobs->second == 0) open_jobs_of_server_.erase(jobs);
    }
  }
  for (const uint64_t id : taken) {
    open_.erase(std::find(open_.begin(), open_.end(), id));
    ended_.push_back(id);
  }
  while (ended_.size() > kEndedKept) Forget();
  return taken;
}

// The oldest of those that ended, with the slots of ranks that never came to hear of its end.
void JobBoard::Forget() {
  const uint64_t id = ended_.front();
  ended_.pop_front();
  for (uint32_t rank = 0; rank < jobs_.at(id).seats.size(); ++rank) Release(id, rank);
  jobs_.erase(id);
}

}  // namespace seraph
