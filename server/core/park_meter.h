// SPDX-License-Identifier: Apache-2.0
// How many pulls wait, and for how long.
#ifndef SERAPH_SERVER_CORE_PARK_METER_H_
#define SERAPH_SERVER_CORE_PARK_METER_H_

#include <algorithm>
#include <cstdint>

#include "absl/time/time.h"
#include "common/mutex.h"

namespace seraph {

// Thread-safe.
class ParkMeter {
 public:
  struct Reading {
    uint64_t now = 0;
    uint64_t peak = 0;
    absl::Duration total;  // Of those that wait no more.
  };

  void Begin() {
    MutexLock lock(&mu_);
    reading_.peak = std::max(reading_.peak, ++reading_.now);
  }
  void End(absl::Duration parked) {
    MutexLock lock(&mu_);
    --reading_.now;
    reading_.total += parked;
  }
  Reading Read() const {
    MutexLock lock(&mu_);
    return reading_;
  }

 private:
  mutable Mutex mu_;
  Reading reading_ ABSL_GUARDED_BY(mu_);
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_PARK_METER_H_
