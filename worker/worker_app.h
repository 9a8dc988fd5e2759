// SPDX-License-Identifier: Apache-2.0
// A worker as a value: an agent with slots, each of which runs the tasks of one rank of a job at a
// time.
#ifndef SERAPH_WORKER_WORKER_APP_H_
#define SERAPH_WORKER_WORKER_APP_H_

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

// Thread-safe. Owns its threads: one a slot, one a job that a slot works on, and the heartbeat's.
class WorkerApp {
 public:
  struct Options {
    Network* network = nullptr;         // Required; outlives the app, like the two below.
    Clock* clock = nullptr;             // Required.
    FileSystem* file_system = nullptr;  // Required.
    std::string scheduler;              // Address. Required.
    std::string name = "worker";        // For people.
    int slots = 1;                      // 1..256.
    std::string spill_folder;           // For inflated data; empty: the system's temporary folder.
    absl::Duration register_deadline = absl::Seconds(10);
  };

  // Registered and asking for work when it returns. INVALID_ARGUMENT names a wrong option;
  // UNAVAILABLE the scheduler that does not answer.
  static absl::StatusOr<std::unique_ptr<WorkerApp>> Start(const Options& options);

  virtual ~WorkerApp() = default;  // Shuts down.
  virtual uint64_t node() const = 0;
  // Stops the tasks at their next step and leaves the cluster. Idempotent.
  virtual void Shutdown(absl::Duration grace) = 0;
  virtual absl::Status health() const = 0;  // The reason once declared dead by the scheduler.
};

}  // namespace seraph

#endif  // SERAPH_WORKER_WORKER_APP_H_
