// SPDX-License-Identifier: Apache-2.0
// A parameter server as a value: owns executors, tables and its listener; registers with the
// scheduler and keeps its lease. Many fit in one process.
#ifndef SERAPH_SERVER_SERVER_APP_H_
#define SERAPH_SERVER_SERVER_APP_H_

#include <cstdint>
#include <memory>
#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "common/file_system.h"
#include "transport/channel.h"

namespace seraph {

class ServerApp {
 public:
  struct Options {
    Network* network = nullptr;         // Required; outlives the app, like the two below.
    Clock* clock = nullptr;             // Required.
    FileSystem* file_system = nullptr;  // Required.
    std::string scheduler;              // Address. Required.
    std::string listen;                 // Address to bind.
    std::string advertise;              // Address that others use; empty: the one bound.
    std::string name = "server";        // For people.
    int executors = 1;                  // Threads that own partitions, 1..256.
    // Of all tables together: rows, with state and index; parked pushes and their sums; what is set
    // aside for rows that pushes under way may make. A dense table takes all its rows as it is
    // opened. Requests on their way, copies that folds and saves make, and the program itself come
    // on top (server/core/memory_budget.h).
    int64_t memory_bytes = int64_t{8} << 30;
    absl::Duration register_deadline = absl::Seconds(10);  // For the scheduler to answer.
  };

  // Serves when it returns. INVALID_ARGUMENT names a wrong option; UNAVAILABLE the address that
  // cannot be bound or the scheduler that does not answer.
  static absl::StatusOr<std::unique_ptr<ServerApp>> Start(const Options& options);

  virtual ~ServerApp() = default;  // Shuts down.
  virtual const std::string& address() const = 0;
  virtual uint64_t node() const = 0;
  // Leaves the cluster and stops; parked requests are answered with UNAVAILABLE. Idempotent.
  virtual void Shutdown(absl::Duration grace) = 0;
  // OK while serving; the reason once the scheduler has declared this node dead.
  virtual absl::Status health() const = 0;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_SERVER_APP_H_
