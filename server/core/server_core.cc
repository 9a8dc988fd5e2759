// SPDX-License-Identifier: Apache-2.0
#include "server/core/server_core.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/consistency/policy.h"
#include "server/core/gradient_sums.h"
#include "server/optimizer/optimizer.h"

namespace seraph {
namespace {

// Reasons of this many dropped groups are kept for latecomers.
constexpr size_t kDroppedKept = 64;

absl::Status ShutDown() { return absl::UnavailableError("the server has shut down"); }

uint64_t KeyCount(const std::vector<CorePullSlice>& slices) {
  uint64_t count = 0;
  for (const CorePullSlice& slice : slices) count += slice.keys.keys.size();
  return count;
}

// Splits a request's keys over the executors that own them. Partitions that live elsewhere are
// FAILED_PRECONDITION: the request was routed by a map that is not this server's.
template <typename Slice>
absl::StatusOr<std::vector<std::vector<KeyRun>>> Split(const std::vector<Slice>& slices,
                                                       size_t executors) {
  std::vector<std::vector<KeyRun>> runs(executors);
  for (uint32_t s = 0; s < slices.size(); ++s) {
    const CoreKeys& keys = slices[s].keys;
    size_t first = 0;
    for (size_t i = 0; i < keys.partitions.size(); ++i) {
      const uint32_t partition = keys.partitions[i];
      const int32_t executor = keys.table->executor[partition];
      if (executor == ServedTable::kElsewhere) {
        return absl::FailedPreconditionError(absl::StrCat("partition ", partition, " of table ",
                                                          keys.table->spec.name,
                                                          " is not on this server"));
      }
      if (keys.counts[i] > 0) runs[executor].push_back({s, partition, first, keys.counts[i], 0});
      first += keys.counts[i];
      if constexpr (std::is_same_v<Slice, CorePushSlice>) {
        if (keys.counts[i] > 0 && !slices[s].sequences.empty()) {
          runs[executor].back().sequence = slices[s].sequences[i];
        }
      }
    }
  }
  return runs;
}

size_t CountParts(const std::vector<std::vector<KeyRun>>& runs) {
  return static_cast<size_t>(
      std::count_if(runs.begin(), runs.end(), [](const auto& r) { return !r.empty(); }));
}

int64_t SliceBytes(const CorePushSlice& slice) {
  return static_cast<int64_t>(slice.keys.keys.size() * sizeof(uint64_t) +
                              slice.values.size() * sizeof(float));
}

void Raise(std::atomic<int64_t>* largest, int64_t value) {
  int64_t seen = largest->load(std::memory_order_relaxed);
  while (seen < value && !largest->compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

ServerCore::ServerCore(const Options& options) : options_(options), budget_(options.memory_bytes) {
  for (int32_t i = 0; i < options.executors; ++i) {
    executors_.push_back(std::make_unique<Executor>(i, options.clock, &budget_));
  }
}

ServerCore::~ServerCore() { Shutdown(ShutDown()); }

void ServerCore::Shutdown(const absl::Status& reason) {
  for (const auto& executor : executors_) executor->Stop(reason);
}

template <typename MakeWork>
size_t ServerCore::PostToAll(const MakeWork& make) {
  return static_cast<size_t>(std::count_if(executors_.begin(), executors_.end(),
                                           [&](const auto& e) { return !e->Post(make()); }));
}

void ServerCore::TellMoved(const CoreSession& session) {
  PostToAll([&]() -> Executor::Work {
    return [group = session.group, rank = session.rank, clock = session.clock](PartitionSet* set) {
      set->MoveTo(group, rank, clock);
    };
  });
}

// --- tables
// ----------------------------------------------------------------------------------------

absl::StatusOr<std::shared_ptr<const ServedTable>> ServerCore::NewTable(
    const CoreTableRequest& request) {
  auto table = std::make_shared<ServedTable>();
  table->id = request.id;
  table->group = request.group;
  table->workers = request.workers;
  table->map_epoch = request.map_epoch;
  table->spec = request.spec;
  ASSIGN_OR_RETURN(table->optimizer, NewOptimizer(request.spec.optimizer));
  table->policy = NewConsistencyPolicy(request.spec.sync);
  // Dealt in turn, so that the partitions owned here spread evenly whichever they are; tables of
  // one partition start at different executors.
  table->executor.assign(request.spec.partitions, ServedTable::kElsewhere);
  uint64_t owned = 0;
  for (uint32_t p = 0; p < request.spec.partitions; ++p) {
    if (!request.owned[p]) continue;
    table->executor[p] = static_cast<int32_t>((request.id + owned++) % executors_.size());
  }
  table->partition_max_bytes =
      static_cast<uint64_t>(options_.memory_bytes) / std::max<uint64_t>(owned, 1);
  if (request.spec.kind == TableKind::kDense) {
    const uint64_t width = request.spec.dim + table->optimizer->StateWidth(request.spec.dim);
    const uint64_t block = request.spec.rows / request.spec.partitions +
                           (request.spec.rows % request.spec.partitions > 0);
    const auto bytes = static_cast<unsigned __int128>(block) * owned * width * sizeof(float);
    if (bytes > static_cast<uint64_t>(options_.memory_bytes)) {
      return absl::ResourceExhaustedError(absl::StrCat(
          "table ", request.spec.name, ": ", block * owned, " rows of ", width * sizeof(float),
          " bytes do not fit the server's memory of ", options_.memory_bytes, " bytes"));
    }
  }
  return table;
}

absl::StatusOr<std::shared_ptr<const ServedTable>> ServerCore::Register(
    const CoreTableRequest& request) {
  const auto open = tables_.find(request.id);
  if (open != tables_.end()) {
    const ServedTable& table = *open->second;
    const std::string difference = DescribeDifference(table.spec, request.spec);
    if (table.spec == request.spec && table.group == request.group &&
        table.map_epoch == request.map_epoch && table.workers == request.workers) {
      return open->second;
    }
    return absl::FailedPreconditionError(
        !difference.empty()
            ? difference
            : absl::StrCat("table ", request.id, " is open as ", table.spec.name, " of group ",
                           table.group, " with ", table.workers, " workers at map epoch ",
                           table.map_epoch, "; asked for ", request.spec.name, " of ",
                           request.group, " with ", request.workers, " at ", request.map_epoch));
  }
  const auto group = groups_.find(request.group);
  if (group != groups_.end() && group->second.workers() != request.workers) {
    return absl::FailedPreconditionError(
        absl::StrCat("table ", request.spec.name, ": group ", request.group, " has ",
                     group->second.workers(), " workers, asked for ", request.workers));
  }
  ASSIGN_OR_RETURN(std::shared_ptr<const ServedTable> table, NewTable(request));
  groups_.try_emplace(request.group, request.group, request.workers).first->second.AddTable(*table);
  dropped_.erase(std::remove_if(dropped_.begin(), dropped_.end(),
                                [&](const DroppedGroup& d) { return d.name == request.group; }),
                 dropped_.end());
  tables_[request.id] = table;
  return table;
}

void ServerCore::OpenTable(const CoreTableRequest& request, CoreDone done) {
  if (request.group.empty() || request.workers == 0 ||
      request.owned.size() != request.spec.partitions) {
    return done(absl::InvalidArgumentError(
        absl::StrCat("open table ", request.spec.name, ": group \"", request.group, "\", ",
                     request.workers, " workers, owners of ", request.owned.size(), " of ",
                     request.spec.partitions, " partitions")));
  }
  if (request.group == "shared") {
    return done(absl::UnimplementedError(absl::StrCat(
        "open table ", request.spec.name, ": tables shared by groups are not there yet")));
  }
  auto join = std::make_shared<Join>(executors_.size(), std::move(done));
  size_t stopped = 0;
  absl::Status failed;
  {
    MutexLock lock(&mu_);
    absl::StatusOr<std::shared_ptr<const ServedTable>> table = Register(request);
    if (table.ok()) {
      stopped = PostToAll([&]() -> Executor::Work {
        return [join, table = *table](PartitionSet* set) {
          set->Open(table);
          join->Finish(absl::OkStatus());
        };
      });
      failed = ShutDown();
    } else {
      stopped = executors_.size();
      failed = table.status();
    }
  }
  for (size_t i = 0; i < stopped; ++i) join->Finish(failed);
}

absl::Status ServerCore::CheckDropped(const std::string& group) const {
  for (const DroppedGroup& dropped : dropped_) {
    if (dropped.name != group) continue;
    return absl::AbortedError(absl::StrCat("group ", group, " was dropped: ", dropped.reason));
  }
  return absl::OkStatus();
}

absl::StatusOr<GroupSessions*> ServerCore::FindGroup(const std::string& group) {
  RETURN_IF_ERROR(CheckDropped(group));
  const auto found = groups_.find(group);
  if (found != groups_.end()) return &found->second;
  return absl::NotFoundError(absl::StrCat("group ", group, " has no table on this server"));
}

absl::StatusOr<std::shared_ptr<const ServedTable>> ServerCore::FindTable(const std::string& group,
                                                                         uint32_t id) const {
  MutexLock lock(&mu_);
  RETURN_IF_ERROR(CheckDropped(group));
  const auto found = tables_.find(id);
  if (found == tables_.end() || found->second->group != group) {
    return absl::NotFoundError(
        absl::StrCat("table ", id, " of group ", group, " is not open on this server"));
  }
  return found->second;
}

absl::StatusOr<std::shared_ptr<const ServedTable>> ServerCore::FindTable(const std::string& group,
                                                                         uint32_t id,
                                                                         uint64_t map_epoch) const {
  ASSIGN_OR_RETURN(std::shared_ptr<const ServedTable> table, FindTable(group, id));
  if (table->map_epoch == map_epoch) return table;
  return absl::FailedPreconditionError(
      absl::StrCat("table ", table->spec.name, ": the request was routed by map epoch ", map_epoch,
                   ", the server is at ", table->map_epoch));
}

void ServerCore::DropGroup(const std::string& group, const std::string& reason, CoreDone done) {
  auto join = std::make_shared<Join>(executors_.size(), std::move(done));
  size_t stopped = 0;
  {
    MutexLock lock(&mu_);
    const auto found = groups_.find(group);
    if (found != groups_.end()) {
      for (const uint32_t id : found->second.tables()) tables_.erase(id);
      groups_.erase(found);
      dropped_.push_back({group, reason});
      if (dropped_.size() > kDroppedKept) dropped_.pop_front();
    }
    const absl::Status aborted =
        absl::AbortedError(absl::StrCat("group ", group, " was dropped: ", reason));
    stopped = PostToAll([&]() -> Executor::Work {
      return [join, group, aborted](PartitionSet* set) {
        set->Drop(group, aborted);
        join->Finish(absl::OkStatus());
      };
    });
  }
  for (size_t i = 0; i < stopped; ++i) join->Finish(ShutDown());
}

// --- steps
// -----------------------------------------------------------------------------------------

absl::StatusOr<int64_t> ServerCore::AdmitPull(const CorePull& pull) {
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(GroupSessions * group, FindGroup(pull.session.group));
  if (!pull.read_only) {
    ASSIGN_OR_RETURN(const bool moves, group->AdmitPull(pull.session));
    if (moves) TellMoved(pull.session);
  }
  return group->slowest();
}

void ServerCore::Pull(CorePull pull, CorePullDone done) {
  absl::StatusOr<int64_t> slowest = AdmitPull(pull);
  if (!slowest.ok()) return done(slowest.status());
  if (KeyCount(pull.slices) == 0) return done(CorePulled{*slowest});
  absl::StatusOr<Runs> runs = Split(pull.slices, executors_.size());
  if (!runs.ok()) return done(runs.status());
  auto task = std::make_shared<PullTask>(std::move(pull), CountParts(*runs), options_.clock,
                                         &park_meter_, std::move(done));
  for (size_t e = 0; e < executors_.size(); ++e) {
    if ((*runs)[e].empty()) continue;
    const bool posted =
        executors_[e]->Post([task, part = std::move((*runs)[e])](PartitionSet* set) mutable {
          set->Pull(std::move(task), std::move(part));
        });
    if (!posted) task->Finish(ShutDown());
  }
}

absl::Status ServerCore::ReserveParked(const CorePush& push, int64_t bytes,
                                       const GroupSessions& group) {
  if (bytes == 0 || budget_.TryTake(bytes)) return absl::OkStatus();
  if (group.IsLowestLacking(push.session.rank)) {
    budget_.Take(bytes);
    return absl::OkStatus();
  }
  return absl::ResourceExhaustedError(absl::StrCat(
      "push to table ", push.slices.front().keys.table->spec.name, " by worker ", push.session.rank,
      " at clock ", push.session.clock, ": ", bytes, " bytes cannot be parked, ", budget_.used(),
      " of ", budget_.limit(), " are in use"));
}

// Returns the bytes reserved for parking.
absl::StatusOr<int64_t> ServerCore::AdmitPush(const CorePush& push) {
  int64_t bytes = 0;
  bool applies_now = false;
  for (const CorePushSlice& slice : push.slices) {
    if (slice.keys.table->policy->ParksPushes()) {
      bytes += SliceBytes(slice);
    } else {
      applies_now = true;
    }
  }
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(GroupSessions * group, FindGroup(push.session.group));
  ASSIGN_OR_RETURN(const bool moves, group->AdmitPush(push.session));
  if (moves) TellMoved(push.session);
  RETURN_IF_ERROR(ReserveParked(push, bytes, *group));
  if (applies_now) Raise(&max_staleness_, group->Staleness(push.session.clock));
  return bytes;
}

void ServerCore::Push(CorePush push, CoreDone done) {
  for (const CorePushSlice& slice : push.slices) {
    const absl::Status finite =
        CheckFinite(slice.keys.table->spec.name, slice.keys.keys, slice.values);
    if (!finite.ok()) return done(finite);
  }
  absl::StatusOr<Runs> runs = Split(push.slices, executors_.size());
  if (!runs.ok()) return done(runs.status());
  const absl::StatusOr<int64_t> reserved = AdmitPush(push);
  if (!reserved.ok()) return done(reserved.status());
  const size_t parts = CountParts(*runs);
  if (parts == 0) return done(absl::OkStatus());
  auto join = std::make_shared<Join>(parts, std::move(done));
  const auto shared = std::make_shared<const CorePush>(std::move(push));
  for (size_t e = 0; e < executors_.size(); ++e) {
    if (!(*runs)[e].empty()) PostPush(shared, join, std::move((*runs)[e]), e);
  }
}

void ServerCore::PostPush(std::shared_ptr<const CorePush> push, std::shared_ptr<Join> join,
                          std::vector<KeyRun> runs, size_t executor) {
  std::vector<PartitionPush> parts;
  for (const KeyRun& run : runs) {
    const CorePushSlice& slice = push->slices[run.slice];
    const uint32_t dim = slice.keys.table->spec.dim;
    PartitionPush part{.kind = push->kind,
                       .sequence = run.sequence,
                       .keys = slice.keys.keys.subspan(run.first, run.count),
                       .values = slice.values.subspan(run.first * dim, run.count * dim),
                       .memory = push->memory,
                       .share = {}};
    if (slice.keys.table->policy->ParksPushes()) {
      const size_t bytes = part.keys.size() * sizeof(uint64_t) + part.values.size() * sizeof(float);
      part.share = BudgetShare(&budget_, &parked_push_bytes_, static_cast<int64_t>(bytes));
    }
    parts.push_back(std::move(part));
  }
  const bool posted = executors_[executor]->Post(
      [push, join, runs = std::move(runs), parts = std::move(parts)](PartitionSet* set) mutable {
        absl::Status status;
        for (size_t i = 0; i < runs.size() && status.ok(); ++i) {
          const CoreSession& session = push->session;
          status = set->Push(*push->slices[runs[i].slice].keys.table, runs[i].partition,
                             session.rank, session.clock, std::move(parts[i]));
        }
        join->Finish(status);
      });
  if (!posted) join->Finish(ShutDown());
}

void ServerCore::Commit(CoreCommit commit, CoreDone done) {
  auto join = std::make_shared<Join>(executors_.size(), std::move(done));
  size_t finished = 0;
  absl::Status status;
  {
    MutexLock lock(&mu_);
    const absl::StatusOr<GroupSessions*> group = FindGroup(commit.session.group);
    const absl::StatusOr<bool> moves =
        group.ok() ? (*group)->AdmitCommit(commit) : absl::StatusOr<bool>(group.status());
    if (moves.ok()) {
      if (*moves) TellMoved(commit.session);
      finished = PostToAll([&]() -> Executor::Work {
        return [join, commit](PartitionSet* set) {
          set->Commit(commit);
          join->Finish(absl::OkStatus());
        };
      });
      status = ShutDown();
    } else {
      finished = executors_.size();
      if (!absl::IsNotFound(moves.status())) status = moves.status();
    }
  }
  for (size_t i = 0; i < finished; ++i) join->Finish(status);
}

// --- the whole server
// ------------------------------------------------------------------------------

void ServerCore::Stats(CoreStatsDone done) {
  struct Sums {
    std::atomic<uint64_t> rows{0};
    std::atomic<uint64_t> bytes{0};
  };
  auto sums = std::make_shared<Sums>();
  auto join = std::make_shared<Join>(
      executors_.size(), [this, sums, done = std::move(done)](absl::Status status) mutable {
        if (!status.ok()) return done(std::move(status));
        const ParkMeter::Reading parked = park_meter_.Read();
        CoreStats stats;
        stats.rows = sums->rows;
        stats.resident_bytes = sums->bytes;
        stats.parked_push_bytes = static_cast<uint64_t>(parked_push_bytes_.load());
        stats.max_staleness = max_staleness_.load();
        stats.parked_now = parked.now;
        stats.parked_peak = parked.peak;
        stats.parked_s = absl::ToDoubleSeconds(parked.total);
        done(stats);
      });
  const size_t stopped = PostToAll([&]() -> Executor::Work {
    return [join, sums](PartitionSet* set) {
      sums->rows += set->rows();
      sums->bytes += set->resident_bytes();
      join->Finish(absl::OkStatus());
    };
  });
  for (size_t i = 0; i < stopped; ++i) join->Finish(ShutDown());
}

void ServerCore::ExportPartition(const ServedTable& table, uint32_t partition, CoreRowsDone done) {
  auto shared = std::make_shared<CoreRowsDone>(std::move(done));
  const bool posted = executors_[table.executor[partition]]->Post(
      [shared, id = table.id, partition](PartitionSet* set) {
        (*shared)(set->Export(id, partition));
      });
  if (!posted) (*shared)(ShutDown());
}

void ServerCore::ImportPartition(const ServedTable& table, uint32_t partition,
                                 std::shared_ptr<const CoreRows> rows, CoreDone done) {
  auto shared = std::make_shared<CoreDone>(std::move(done));
  const bool posted = executors_[table.executor[partition]]->Post(
      [shared, rows, id = table.id, partition](PartitionSet* set) {
        (*shared)(set->Import(id, partition, *rows));
      });
  if (!posted) (*shared)(ShutDown());
}

}  // namespace seraph
