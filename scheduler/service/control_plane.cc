// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_plane.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "scheduler/service/control_codec.h"
#include "transport/table_spec_codec.h"

namespace seraph {

ControlPlane::ControlPlane(absl::Duration lease, std::string cluster)
    : cluster_(std::move(cluster)), members_(lease), tables_(&placement_) {}

absl::StatusOr<v1::ControlReply> ControlPlane::Answer(const v1::ControlRequest& request,
                                                      absl::Time now) {
  v1::ControlReply reply;
  switch (request.op_case()) {
    case v1::ControlRequest::kRegisterNode:
      return Register(request.register_node(), now);
    case v1::ControlRequest::kHeartbeat:
      RETURN_IF_ERROR(members_.Heartbeat(request.heartbeat().node(), now));
      reply.mutable_heartbeat();
      return reply;
    case v1::ControlRequest::kNodeExited:
      return Exited(request.node_exited(), now);
    case v1::ControlRequest::kListNodes:
      return ListNodes();
    case v1::ControlRequest::kCreateTable:
      return CreateTable(request.create_table());
    case v1::ControlRequest::kSubmitJob:
      return Submit(request.submit_job().job());
    case v1::ControlRequest::kCancelJob:
      return Cancel(request.cancel_job(), now);
    case v1::ControlRequest::kLeaseShard:
      return Lease(request.lease_shard());
    case v1::ControlRequest::kReportProgress:
      return Progress(request.report_progress(), now);
    default:
      return absl::InvalidArgumentError("control request: empty, or not known to this scheduler");
  }
}

absl::StatusOr<v1::ControlReply> ControlPlane::Register(const v1::RegisterNode& request,
                                                        absl::Time now) {
  ASSIGN_OR_RETURN(NodeInfo info, DecodeNode(request));
  ASSIGN_OR_RETURN(const uint64_t node, members_.Register(std::move(info), now));
  has_room_ = true;
  v1::ControlReply reply;
  reply.mutable_register_node()->set_node(node);
  reply.mutable_register_node()->set_cluster(cluster_);
  reply.mutable_register_node()->set_lease_s(absl::ToDoubleSeconds(members_.lease()));
  return reply;
}

absl::StatusOr<v1::ControlReply> ControlPlane::Exited(const v1::NodeExited& request,
                                                      absl::Time now) {
  const std::string reason =
      request.reason().empty() && request.clean() ? "left" : request.reason();
  const Node* died = nullptr;
  if (request.node() != 0) {
    ASSIGN_OR_RETURN(died, members_.Exited(request.node(), reason));
  } else {
    ASSIGN_OR_RETURN(const NodeKind kind, DecodeKind(request.kind()));
    ASSIGN_OR_RETURN(died, members_.ExitedByName(kind, request.name(), reason));
  }
  if (died != nullptr) Died(*died, now);
  v1::ControlReply reply;
  reply.mutable_node_exited();
  return reply;
}

v1::ControlReply ControlPlane::ListNodes() const {
  v1::ControlReply reply;
  for (const Node* node : members_.nodes()) {
    *reply.mutable_list_nodes()->add_nodes() = EncodeNode(*node);
  }
  reply.mutable_list_nodes();
  return reply;
}

absl::StatusOr<v1::ControlReply> ControlPlane::CreateTable(const v1::CreateTable& request) {
  ASSIGN_OR_RETURN(const TableSpec spec, FromProto(request.spec()));
  ASSIGN_OR_RETURN(const std::vector<ServerRef> servers, ServersFor(request));
  ASSIGN_OR_RETURN(const TableEntry* table,
                   tables_.OpenOrCreate(request.group(), spec, request.workers(), servers));
  RETURN_IF_ERROR(CheckServersAlive(*table));
  v1::ControlReply reply;
  *reply.mutable_create_table()->mutable_table() = EncodeTable(*table);
  return reply;
}

// A job's tables live on the job's servers and as long as the job; those of other groups on all.
absl::StatusOr<std::vector<ServerRef>> ControlPlane::ServersFor(const v1::CreateTable& request) {
  const std::optional<uint64_t> job = JobOfGroup(request.group());
  if (job.has_value()) {
    ASSIGN_OR_RETURN(const JobMachine* machine, board_.Find(*job));
    if (machine->phase() == Phase::kPending || machine->ended()) {
      return absl::FailedPreconditionError(
          absl::StrCat("create table ", request.spec().name(), ": job ", *job, " is not running"));
    }
    if (request.workers() != machine->plan().workers) {
      return absl::InvalidArgumentError(absl::StrCat("create table ", request.spec().name(), ": ",
                                                     request.workers(), " workers, job ", *job,
                                                     " has ", machine->plan().workers));
    }
    return board_.ServersOf(*job);
  }
  std::vector<ServerRef> servers;
  for (const Node* node : members_.Live(NodeKind::kServer)) {
    servers.push_back({node->id, node->info.address});
  }
  return servers;
}

absl::Status ControlPlane::CheckServersAlive(const TableEntry& table) const {
  for (const ServerRef& server : table.servers) {
    const Node* node = members_.Find(server.node);
    if (node != nullptr && node->alive) continue;
    return absl::AbortedError(absl::StrCat(
        "table ", table.spec.name, ": its rows are lost: ",
        node == nullptr ? absl::StrCat("node ", server.node, " is dead") : DescribeDeath(*node)));
  }
  return absl::OkStatus();
}

absl::StatusOr<v1::ControlReply> ControlPlane::Submit(const v1::JobSpec& spec) {
  ASSIGN_OR_RETURN(const JobPlan plan, PlanOf(spec));
  ASSIGN_OR_RETURN(const uint64_t job, board_.Submit(plan));
  has_room_ = true;
  records_[job].spec = spec;
  v1::ControlReply reply;
  reply.mutable_submit_job()->set_job(job);
  return reply;
}

absl::StatusOr<v1::ControlReply> ControlPlane::Cancel(const v1::CancelJob& request,
                                                      absl::Time now) {
  ASSIGN_OR_RETURN(JobMachine * machine, board_.Find(request.job()));
  machine->Cancel(request.reason(), now);
  Note(request.job());
  v1::ControlReply reply;
  reply.mutable_cancel_job();
  return reply;
}

absl::StatusOr<v1::ControlReply> ControlPlane::Lease(const v1::LeaseShard& request) {
  ASSIGN_OR_RETURN(JobMachine * machine, MachineFor(request.node(), request.job(), request.rank()));
  const std::vector<uint64_t> done(request.done().begin(), request.done().end());
  ASSIGN_OR_RETURN(const ShardLeases::Lease lease,
                   machine->LeaseBlocks(request.rank(), request.epoch(), done, request.want()));
  v1::ControlReply reply;
  reply.mutable_lease_shard()->set_lease(lease.id);
  reply.mutable_lease_shard()->mutable_block()->Add(lease.blocks.begin(), lease.blocks.end());
  return reply;
}

absl::StatusOr<v1::ControlReply> ControlPlane::Progress(const v1::ReportProgress& request,
                                                        absl::Time now) {
  ASSIGN_OR_RETURN(JobMachine * machine, MachineFor(request.node(), request.job(), request.rank()));
  RETURN_IF_ERROR(machine->ReportProgress(request.rank(), request.epoch(), request.rows(),
                                          request.loss_sum(), now));
  Note(request.job());
  v1::ControlReply reply;
  reply.mutable_report_progress();
  return reply;
}

absl::Status ControlPlane::Hear(const v1::NextTask& request, absl::Time now) {
  RETURN_IF_ERROR(members_.Heartbeat(request.node(), now));
  const Node& node = *members_.Find(request.node());
  if (node.info.kind != NodeKind::kWorker) {
    return absl::InvalidArgumentError(absl::StrCat("next task: ", Describe(node), " is no worker"));
  }
  if (request.job() == 0) return absl::OkStatus();
  return board_.CheckRank(node, request.job(), request.rank());
}

absl::StatusOr<JobMachine*> ControlPlane::MachineFor(uint64_t node_id, uint64_t job,
                                                     uint32_t rank) {
  ASSIGN_OR_RETURN(const Node* node, members_.FindLive(node_id));
  RETURN_IF_ERROR(board_.CheckRank(*node, job, rank));
  return board_.Find(job);
}

void ControlPlane::TakeResult(const v1::NextTask& request, absl::Time now) {
  const absl::StatusOr<JobMachine*> machine = board_.Find(request.job());
  if (!machine.ok()) return;  // An idle slot has no result.
  const absl::StatusOr<bool> taken = HandIn(request, *machine, now);
  if (!taken.ok()) {
    (*machine)->Fail(absl::InternalError(absl::StrCat(Describe(*members_.Find(request.node())),
                                                      ": ", taken.status().message())),
                     now);
  } else if (*taken) {
    Keep(request);
  }
  Note(request.job());
}

absl::StatusOr<bool> ControlPlane::HandIn(const v1::NextTask& request, JobMachine* machine,
                                          absl::Time now) {
  ASSIGN_OR_RETURN(TaskOutcome outcome, DecodeResult(request));
  return machine->TakeResult(request.rank(), request.task(), std::move(outcome), now);
}

void ControlPlane::Keep(const v1::NextTask& request) {
  JobRecord& record = records_[request.job()];
  if (request.has_index()) {
    record.train = request.index().train();
    record.test = request.index().test();
    record.fit = request.index().fit();
  } else if (request.has_save()) {
    record.servers.assign(request.save().servers().begin(), request.save().servers().end());
    for (v1::ServerUse& use : record.servers) {
      for (const Node* node : members_.Live(NodeKind::kServer)) {
        if (node->info.address == use.name()) use.set_name(node->info.name);
      }
    }
  }
}

ControlPlane::MaybeReply ControlPlane::TryNextTask(uint64_t node_id, uint64_t job, uint32_t rank,
                                                   uint32_t idle_asks) {
  const absl::StatusOr<const Node*> node = members_.FindLive(node_id);
  if (!node.ok()) return node.status();
  if (job == 0) {
    const std::optional<JobBoard::Assignment> given = board_.ForIdle(**node, idle_asks);
    if (!given.has_value()) return std::nullopt;
    return EncodeAssignment(*given);
  }
  const absl::StatusOr<std::optional<JobBoard::Assignment>> given =
      board_.ForRank(**node, job, rank);
  if (!given.ok()) return given.status();
  if (!given->has_value()) return std::nullopt;
  return EncodeAssignment(**given);
}

v1::ControlReply ControlPlane::EncodeAssignment(const JobBoard::Assignment& assignment) {
  const JobRecord& record = records_[assignment.job];
  if (assignment.task.phase == Phase::kEnded) has_room_ = true;  // The slot is free.
  v1::ControlReply reply;
  v1::NextTaskReply* out = reply.mutable_next_task();
  out->set_job(assignment.job);
  out->set_rank(assignment.rank);
  out->set_group(GroupOfJob(assignment.job));
  if (assignment.joins) *out->mutable_spec() = record.spec;
  const JobPlan& plan = board_.Find(assignment.job).value()->plan();
  EncodeTask(assignment.task, plan, assignment.rank, out);
  if (out->has_index()) {
    *out->mutable_index()->mutable_train() = record.spec.data().train();
    *out->mutable_index()->mutable_test() = record.spec.data().test();
  } else if (out->has_prepare()) {
    *out->mutable_prepare()->mutable_train() = record.train;
    *out->mutable_prepare()->mutable_test() = record.test;
    *out->mutable_prepare()->mutable_fit() = record.fit;
  }
  return reply;
}

ControlPlane::MaybeReply ControlPlane::TryWatch(uint64_t job, uint64_t after) {
  const absl::StatusOr<JobMachine*> machine = board_.Find(job);
  if (!machine.ok()) return machine.status();
  if ((*machine)->events().last() <= after) return std::nullopt;
  v1::ControlReply reply;
  for (const JobEvent& event : (*machine)->events().After(after)) {
    v1::JobEvent* out = reply.mutable_watch_job()->add_events();
    *out = EncodeEvent(event);
    if (!out->has_done()) continue;
    const JobRecord& record = records_[job];
    if ((*machine)->error().ok()) out->mutable_done()->set_model(record.spec.output().model());
    out->mutable_done()->mutable_servers()->Add(record.servers.begin(), record.servers.end());
  }
  return reply;
}

absl::Status ControlPlane::CheckScoring(uint64_t node, uint64_t job, uint32_t rank, uint64_t task) {
  ASSIGN_OR_RETURN(const JobMachine* machine, MachineFor(node, job, rank));
  return machine->CheckScoring(rank, task);
}

void ControlPlane::SetScores(uint64_t job, uint64_t task,
                             const absl::StatusOr<CountedScores>& scores, absl::Time now) {
  const absl::StatusOr<JobMachine*> machine = board_.Find(job);
  if (!machine.ok()) return;
  (*machine)->SetScores(task, scores, now);
  Note(job);
}

std::vector<std::pair<uint64_t, uint64_t>> ControlPlane::TakeScoresWanted() {
  return std::exchange(scores_wanted_, {});
}

void ControlPlane::Expire(absl::Time now) {
  for (const Node* died : members_.Expire(now)) Died(*died, now);
}

void ControlPlane::Died(const Node& node, absl::Time now) {
  changes_.nodes.insert(node.id);
  for (const uint64_t job : board_.NodeDied(node, now)) Note(job);
  has_room_ = true;  // On other nodes, once the jobs' ranks there have been told.
}

void ControlPlane::Note(uint64_t job) {
  const JobMachine& machine = *board_.Find(job).value();
  JobRecord& record = records_[job];
  if (record.event < machine.events().last()) {
    record.event = machine.events().last();
    changes_.told.insert(job);
  }
  if (record.task < machine.task()) {
    record.task = machine.task();
    changes_.moved.insert(job);
    for (const uint64_t node : board_.NodesToJoin(job)) changes_.nodes.insert(node);
    any_ended_ |= machine.ended();
  }
  if (machine.wants_scores() && record.scores_task < machine.task()) {
    record.scores_task = machine.task();
    scores_wanted_.emplace_back(job, machine.task());
  }
}

std::vector<uint64_t> ControlPlane::Settle(absl::Time now) {
  std::vector<uint64_t> ended;
  if (std::exchange(any_ended_, false)) {
    ended = board_.TakeEnded();
    for (const uint64_t job : ended) ClearAwayAfter(job);
    while (!records_.empty() && !board_.Find(records_.begin()->first).ok()) {
      records_.erase(records_.begin());
    }
    has_room_ = true;
  }
  if (std::exchange(has_room_, false)) {
    for (const uint64_t job : board_.StartPending(members_, now)) Note(job);
  }
  return ended;
}

void ControlPlane::ClearAwayAfter(uint64_t job) {
  tables_.Drop(GroupOfJob(job));
  JobRecord& record = records_[job];
  v1::OutputSpec output = std::move(*record.spec.mutable_output());
  record.spec.Clear();
  *record.spec.mutable_output() = std::move(output);
  record.train.Clear();
  record.test.Clear();
  record.fit.Clear();
}

}  // namespace seraph
