// SPDX-License-Identifier: Apache-2.0
#include "tests/core/core_cluster.h"

#include <algorithm>
#include <utility>

#include "common/partitioning.h"
#include "common/status_macros.h"
#include "server/core/join.h"

namespace seraph {

// The part of a slice that one core owns, in the layout that the core asks for.
struct CoreCluster::CutSlice {
  std::shared_ptr<const ServedTable> table;
  std::vector<uint32_t> partitions, counts;
  std::vector<uint64_t> keys;
  std::vector<size_t> places;  // Of the keys in the caller's slice.
  std::vector<float> values;   // Rows to push, or those pulled.
  std::vector<uint64_t> sequences;

  CoreKeys Keys() const { return {table, partitions, counts, keys}; }
};

namespace {

// Cuts the keys of one slice by core; `Cut` is CoreCluster::CutSlice.
template <typename Cut>
std::vector<Cut> CutKeys(const TableSpec& spec, const std::vector<uint64_t>& keys, size_t cores) {
  std::map<uint32_t, std::vector<size_t>> by_partition;
  for (size_t i = 0; i < keys.size(); ++i) by_partition[PartitionOf(spec, keys[i])].push_back(i);
  std::vector<Cut> cuts(cores);
  for (const auto& [partition, places] : by_partition) {
    Cut& cut = cuts[partition % cores];
    cut.partitions.push_back(partition);
    cut.counts.push_back(static_cast<uint32_t>(places.size()));
    for (const size_t place : places) {
      cut.keys.push_back(keys[place]);
      cut.places.push_back(place);
    }
  }
  return cuts;
}

}  // namespace

CoreCluster::CoreCluster(const Options& options) : options_(options) {
  for (int i = 0; i < options.cores; ++i) {
    cores_.push_back(
        std::make_unique<ServerCore>(ServerCore::Options{.clock = options.clock,
                                                         .executors = options.executors,
                                                         .memory_bytes = options.memory_bytes}));
  }
}

absl::Status CoreCluster::Open(uint32_t id, const TableSpec& spec) {
  specs_[id] = spec;
  for (size_t c = 0; c < cores_.size(); ++c) {
    CoreTableRequest request{.id = id,
                             .group = "g",
                             .workers = options_.workers,
                             .map_epoch = 1,
                             .spec = spec,
                             .owned = std::vector<bool>(spec.partitions)};
    for (uint32_t p = 0; p < spec.partitions; ++p) request.owned[p] = CoreOf(p) == c;
    Later<absl::Status> done;
    cores_[c]->OpenTable(request, [done](absl::Status s) mutable { done.Set(std::move(s)); });
    RETURN_IF_ERROR(done.Get());
  }
  return absl::OkStatus();
}

Later<absl::StatusOr<Pulled>> CoreCluster::StartPull(uint32_t rank, int64_t clock,
                                                     const std::vector<TableKeys>& tables,
                                                     absl::Duration timeout, bool read_only) {
  struct State {
    std::vector<std::vector<CutSlice>> cuts;  // [slice][core]
    Pulled pulled;
    Mutex mu;
  };
  auto state = std::make_shared<State>();
  Later<absl::StatusOr<Pulled>> later;
  auto join = std::make_shared<Join>(
      cores_.size(), [state, later, tables, this](absl::Status status) mutable {
        if (!status.ok()) return later.Set(status);
        for (size_t s = 0; s < tables.size(); ++s) {
          const uint32_t dim = specs_[tables[s].table].dim;
          std::vector<float>& rows = state->pulled.rows.emplace_back(tables[s].keys.size() * dim);
          for (const CutSlice& cut : state->cuts[s]) {
            for (size_t i = 0; i < cut.places.size(); ++i) {
              std::copy_n(&cut.values[i * dim], dim, &rows[cut.places[i] * dim]);
            }
          }
        }
        later.Set(state->pulled);
      });
  for (const TableKeys& t : tables) {
    state->cuts.push_back(CutKeys<CutSlice>(specs_[t.table], t.keys, cores_.size()));
  }
  for (size_t c = 0; c < cores_.size(); ++c) {
    CorePull pull{.session = Session(rank, clock, timeout), .read_only = read_only, .slices = {}};
    for (size_t s = 0; s < tables.size(); ++s) {
      CutSlice& cut = state->cuts[s][c];
      cut.table = cores_[c]->FindTable("g", tables[s].table).value();
      cut.values.resize(cut.keys.size() * cut.table->spec.dim);
      pull.slices.push_back({cut.Keys(), absl::MakeSpan(cut.values)});
    }
    cores_[c]->Pull(std::move(pull), [state, join](absl::StatusOr<CorePulled> pulled) {
      if (pulled.ok()) {
        MutexLock lock(&state->mu);
        state->pulled.version = pulled->version;
      }
      join->Finish(pulled.status());
    });
  }
  return later;
}

std::vector<float> CoreCluster::ReadNow(uint32_t table, const std::vector<uint64_t>& keys) {
  return StartPull(0, 0, {{table, keys}}, absl::ZeroDuration(), true).Get().value().rows[0];
}

absl::Status CoreCluster::Push(uint32_t rank, int64_t clock, CorePushKind kind,
                               const std::vector<TableRows>& tables, uint64_t sequence) {
  absl::Status first;
  for (size_t c = 0; c < cores_.size(); ++c) {
    auto cuts = std::make_shared<std::vector<CutSlice>>();
    for (const TableRows& t : tables) {
      const TableSpec& spec = specs_[t.table];
      CutSlice cut = CutKeys<CutSlice>(spec, t.keys, cores_.size())[c];
      for (const size_t place : cut.places) {
        const auto row = t.values.begin() + static_cast<std::ptrdiff_t>(place * spec.dim);
        cut.values.insert(cut.values.end(), row, row + spec.dim);
      }
      cut.sequences.assign(cut.partitions.size(), sequence);
      absl::StatusOr<std::shared_ptr<const ServedTable>> found = cores_[c]->FindTable("g", t.table);
      if (!found.ok()) return found.status();
      cut.table = *found;
      cuts->push_back(std::move(cut));
    }
    CorePush push{.session = Session(rank, clock, absl::Seconds(60)),
                  .kind = kind,
                  .slices = {},
                  .memory = cuts};
    for (const CutSlice& cut : *cuts)
      push.slices.push_back({cut.Keys(), cut.values, cut.sequences});
    Later<absl::Status> done;
    cores_[c]->Push(std::move(push), [done](absl::Status s) mutable { done.Set(std::move(s)); });
    first.Update(done.Get());
  }
  return first;
}

absl::Status CoreCluster::Commit(uint32_t rank, int64_t clock, uint64_t rows, bool idle) {
  absl::Status first;
  for (const auto& core : cores_) {
    Later<absl::Status> done;
    core->Commit({Session(rank, clock, absl::Seconds(60)), rows, idle},
                 [done](absl::Status s) mutable { done.Set(std::move(s)); });
    first.Update(done.Get());
  }
  return first;
}

absl::Status CoreCluster::Drop(const std::string& reason) {
  absl::Status first;
  for (const auto& core : cores_) {
    Later<absl::Status> done;
    core->DropGroup("g", reason, [done](absl::Status s) mutable { done.Set(std::move(s)); });
    first.Update(done.Get());
  }
  return first;
}

CoreStats CoreCluster::Stats() {
  CoreStats sum;
  for (const auto& core : cores_) {
    Later<absl::StatusOr<CoreStats>> done;
    core->Stats([done](absl::StatusOr<CoreStats> s) mutable { done.Set(std::move(s)); });
    const CoreStats stats = done.Get().value();
    sum.rows += stats.rows;
    sum.resident_bytes += stats.resident_bytes;
    sum.parked_push_bytes += stats.parked_push_bytes;
    sum.max_staleness = std::max(sum.max_staleness, stats.max_staleness);
    sum.parked_now += stats.parked_now;
    sum.parked_peak = std::max(sum.parked_peak, stats.parked_peak);
    sum.parked_s += stats.parked_s;
  }
  return sum;
}

std::map<uint64_t, std::vector<float>> CoreCluster::Export(uint32_t table) {
  std::map<uint64_t, std::vector<float>> all;
  for (const auto& core : cores_) {
    const std::shared_ptr<const ServedTable> served = core->FindTable("g", table).value();
    for (uint32_t p = 0; p < served->spec.partitions; ++p) {
      if (served->executor[p] == ServedTable::kElsewhere) continue;
      Later<absl::StatusOr<CoreRows>> done;
      core->ExportPartition(
          *served, p, [done](absl::StatusOr<CoreRows> rows) mutable { done.Set(std::move(rows)); });
      const CoreRows rows = done.Get().value();
      const size_t width = rows.keys.empty() ? 0 : rows.rows.size() / rows.keys.size();
      for (size_t i = 0; i < rows.keys.size(); ++i) {
        const auto row = rows.rows.begin() + static_cast<std::ptrdiff_t>(i * width);
        all[rows.keys[i]].assign(row, row + static_cast<std::ptrdiff_t>(width));
      }
    }
  }
  return all;
}

}  // namespace seraph
