// SPDX-License-Identifier: Apache-2.0
// The scheduler as a value: membership, table catalogue, jobs and data leases behind a listener.
#ifndef SERAPH_SCHEDULER_SCHEDULER_APP_H_
#define SERAPH_SCHEDULER_SCHEDULER_APP_H_

#include <memory>
#include <string>

#include "absl/status/statusor.h"
#include "absl/time/time.h"
#include "common/clock.h"
#include "transport/channel.h"

namespace seraph {

// Thread-safe. Owns its listener and threads.
class SchedulerApp {
 public:
  struct Options {
    Network* network = nullptr;               // Required; outlives the app, like the clock.
    Clock* clock = nullptr;                   // Required.
    std::string listen;                       // Address to bind.
    absl::Duration lease = absl::Seconds(3);  // A node silent for longer is declared dead.
    std::string
        spill_folder;  // For score runs too large for memory; empty: the system's temporary folder.
  };

  // Serves when it returns. INVALID_ARGUMENT names a wrong option; UNAVAILABLE the address that
  // cannot be bound.
  static absl::StatusOr<std::unique_ptr<SchedulerApp>> Start(const Options& options);

  virtual ~SchedulerApp() = default;  // Shuts down.
  virtual const std::string& address() const = 0;
  virtual void Shutdown(
      absl::Duration grace) = 0;  // Parked requests are answered with UNAVAILABLE. Idempotent.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SCHEDULER_APP_H_
