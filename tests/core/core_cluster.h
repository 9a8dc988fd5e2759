// SPDX-License-Identifier: Apache-2.0
// Several ServerCores that share the partitions of tables, driven by plain calls: what tests of the
// core say instead of spans and callbacks.
#ifndef SERAPH_TESTS_CORE_CORE_CLUSTER_H_
#define SERAPH_TESTS_CORE_CORE_CLUSTER_H_

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/mutex.h"
#include "server/core/requests.h"
#include "server/core/server_core.h"

namespace seraph {

// An answer that comes later. Copies share it.
template <typename T>
class Later {
 public:
  void Set(T value) {
    MutexLock lock(&state_->mu);
    state_->value.emplace(std::move(value));
    state_->set.NotifyAll();
  }
  bool ready() const {
    MutexLock lock(&state_->mu);
    return state_->value.has_value();
  }
  // Waits up to a minute of real time; a test that never gets its answer fails here.
  T Get() const {
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes(1);
    MutexLock lock(&state_->mu);
    while (!state_->value.has_value()) {
      if (!state_->set.WaitUntil(&state_->mu, deadline) && !state_->value.has_value()) {
        return T(absl::InternalError("no answer within a minute"));
      }
    }
    return *state_->value;
  }

 private:
  struct State {
    Mutex mu;
    CondVar set;
    std::optional<T> value ABSL_GUARDED_BY(mu);
  };
  std::shared_ptr<State> state_ = std::make_shared<State>();
};

// Rows of one table in a request.
struct TableKeys {
  uint32_t table = 0;
  std::vector<uint64_t> keys;
};
struct TableRows {
  uint32_t table = 0;
  std::vector<uint64_t> keys;
  std::vector<float> values;
};
struct Pulled {
  std::vector<std::vector<float>> rows;  // One for each slice asked for.
  int64_t version = 0;
};

class CoreCluster {
 public:
  struct Options {
    Clock* clock = nullptr;
    int cores = 1;
    int executors = 1;
    uint32_t workers = 1;
    int64_t memory_bytes = int64_t{1} << 30;
  };
  explicit CoreCluster(const Options& options);

  // Opens `spec` in the group "g"; partition p lives on core p % cores.
  absl::Status Open(uint32_t id, const TableSpec& spec);

  Later<absl::StatusOr<Pulled>> StartPull(uint32_t rank, int64_t clock,
                                          const std::vector<TableKeys>& tables,
                                          absl::Duration timeout = absl::Seconds(60),
                                          bool read_only = false);
  absl::StatusOr<Pulled> Pull(uint32_t rank, int64_t clock, const std::vector<TableKeys>& tables) {
    return StartPull(rank, clock, tables).Get();
  }
  // The one table's rows, outside any clock.
  std::vector<float> ReadNow(uint32_t table, const std::vector<uint64_t>& keys);

  // `sequence` numbers the push in each of its partitions.
  absl::Status Push(uint32_t rank, int64_t clock, CorePushKind kind,
                    const std::vector<TableRows>& tables, uint64_t sequence = 0);
  absl::Status PushGradient(uint32_t rank, int64_t clock, uint32_t table,
                            const std::vector<uint64_t>& keys, const std::vector<float>& values) {
    return Push(rank, clock, CorePushKind::kGradient, {{table, keys, values}});
  }
  absl::Status Commit(uint32_t rank, int64_t clock, uint64_t rows = 1, bool idle = false);
  absl::Status Drop(const std::string& reason);

  // Sums over the cores (peaks: the largest). Comes after all requests made before.
  CoreStats Stats();
  // Every row of the table that exists, weights and state, by key.
  std::map<uint64_t, std::vector<float>> Export(uint32_t table);

  ServerCore* core(size_t i) { return cores_[i].get(); }
  const ServedTable& table(size_t core, uint32_t id) {
    return *cores_[core]->FindTable("g", id).value();
  }

 private:
  struct CutSlice;
  size_t CoreOf(uint32_t partition) const { return partition % cores_.size(); }
  CoreSession Session(uint32_t rank, int64_t clock, absl::Duration timeout) const {
    return {.group = "g", .rank = rank, .clock = clock, .timeout = timeout};
  }

  const Options options_;
  std::map<uint32_t, TableSpec> specs_;
  std::vector<std::unique_ptr<ServerCore>> cores_;
};

}  // namespace seraph

#endif  // SERAPH_TESTS_CORE_CORE_CLUSTER_H_
