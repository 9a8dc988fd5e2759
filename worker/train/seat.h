// SPDX-License-Identifier: Apache-2.0
// Where a task runs: what a worker's messages about a rank's work say of the sender.
#ifndef SERAPH_WORKER_TRAIN_SEAT_H_
#define SERAPH_WORKER_TRAIN_SEAT_H_

#include <cstdint>

namespace seraph {

// A rank of a job on a worker.
struct Seat {
  uint64_t node = 0;  // The worker's.
  uint64_t job = 0;
  uint32_t rank = 0;
};

// `Message`: NextTask, LeaseShard, ReportProgress or ReportScores.
template <typename Message>
void Sign(const Seat& seat, Message* message) {
  message->set_node(seat.node);
  message->set_job(seat.job);
  message->set_rank(seat.rank);
}

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_SEAT_H_
