// SPDX-License-Identifier: Apache-2.0
#include "server/core/server_core.h"

#include <algorithm>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "server/core/gradient_sums.h"

namespace seraph {
namespace {

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

void Raise(std::atomic<int64_t>* largest, int64_t value) {
  int64_t seen = largest->load(std::memory_order_relaxed);
  while (seen < value && !largest->compare_exchange_weak(seen, value, std::memory_order_relaxed)) {
  }
}

}  // namespace

ServerCore::ServerCore(const Options& options)
    : options_(options),
      budget_(std::make_shared<MemoryBudget>(options.memory_bytes)),
      registry_(options.executors, budget_) {
  for (int32_t i = 0; i < options.executors; ++i) {
    executors_.push_back(std::make_unique<Executor>(i, options.clock, budget_.get()));
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
    absl::StatusOr<std::shared_ptr<const ServedTable>> table = registry_.Open(request);
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

absl::StatusOr<std::shared_ptr<const ServedTable>> ServerCore::FindTable(const std::string& group,
                                                                         uint32_t id) const {
  MutexLock lock(&mu_);
  return registry_.Find(group, id);
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
    registry_.Drop(group, reason);
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

absl::StatusOr<int64_t> ServerCore::AdmitPull(const CorePull& pull) {
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(GroupSessions * group, registry_.FindGroup(pull.session.group));
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

absl::Status ServerCore::AdmitPush(PushTask* task) {
  const CoreSession& session = task->push().session;
  MutexLock lock(&mu_);
  ASSIGN_OR_RETURN(GroupSessions * group, registry_.FindGroup(session.group));
  ASSIGN_OR_RETURN(const bool moves, group->AdmitPush(session));
  if (moves) TellMoved(session);
  RETURN_IF_ERROR(task->TakeParked(group->IsLowestLacking(session.rank)));
  if (task->applies_now()) Raise(&max_staleness_, group->Staleness(session.clock));
  return absl::OkStatus();
}

void ServerCore::Push(CorePush push, CoreDone done) {
  for (const CorePushSlice& slice : push.slices) {
    const absl::Status finite =
        CheckFinite(slice.keys.table->spec.name, slice.keys.keys, slice.values);
    if (!finite.ok()) return done(finite);
  }
  absl::StatusOr<Runs> runs = Split(push.slices, executors_.size());
  if (!runs.ok()) return done(runs.status());
  auto task = std::make_shared<PushTask>(std::move(push), *std::move(runs), budget_.get(),
                                         &parked_push_bytes_);
  const absl::Status admitted = AdmitPush(task.get());
  if (!admitted.ok()) return done(admitted);
  if (task->TakeMostRows()) return PostPush(std::move(task), std::move(done));
  CountRows(std::move(task), std::move(done));
}

void ServerCore::CountRows(std::shared_ptr<PushTask> task, CoreDone done) {
  auto bytes = std::make_shared<std::atomic<int64_t>>(0);
  auto join = std::make_shared<Join>(
      CountParts(task->runs()),
      [this, task, bytes, done = std::move(done)](absl::Status status) mutable {
        if (status.ok()) status = task->TakeRows(bytes->load());
        if (!status.ok()) return done(std::move(status));
        PostPush(std::move(task), std::move(done));
      });
  for (size_t e = 0; e < executors_.size(); ++e) {
    if (task->runs()[e].empty()) continue;
    const bool posted = executors_[e]->Post([task, join, bytes, e](PartitionSet* set) {
      for (const KeyRun& run : task->runs()[e]) {
        const CorePushSlice& slice = task->push().slices[run.slice];
        if (!PushTask::MakesRows(slice)) continue;
        *bytes += set->NewRowBytes(slice.keys.table->id, run.partition,
                                   slice.keys.keys.subspan(run.first, run.count));
      }
      join->Finish(absl::OkStatus());
    });
    if (!posted) join->Finish(ShutDown());
  }
}

void ServerCore::PostPush(std::shared_ptr<PushTask> task, CoreDone done) {
  const size_t count = CountParts(task->runs());
  if (count == 0) return done(absl::OkStatus());
  auto join = std::make_shared<Join>(count, std::move(done));
  for (size_t e = 0; e < executors_.size(); ++e) {
    const std::vector<KeyRun>& runs = task->runs()[e];
    if (runs.empty()) continue;
    const bool posted = executors_[e]->Post(
        [task, join, &runs, parts = task->TakeParts(e)](PartitionSet* set) mutable {
          const CorePush& push = task->push();
          absl::Status status;
          for (size_t i = 0; i < runs.size() && status.ok(); ++i) {
            status = set->Push(*push.slices[runs[i].slice].keys.table, runs[i].partition,
                               push.session.rank, push.session.clock, std::move(parts[i]));
          }
          join->Finish(status);
        });
    if (!posted) join->Finish(ShutDown());
  }
}

void ServerCore::Commit(CoreCommit commit, CoreDone done) {
  auto join = std::make_shared<Join>(executors_.size(), std::move(done));
  size_t finished = 0;
  absl::Status status;
  {
    MutexLock lock(&mu_);
    const absl::StatusOr<GroupSessions*> group = registry_.FindGroup(commit.session.group);
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
