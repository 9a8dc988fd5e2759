// SPDX-License-Identifier: Apache-2.0
// What happened to a job, in order: what people watch.
#ifndef SERAPH_SCHEDULER_JOB_EVENTS_H_
#define SERAPH_SCHEDULER_JOB_EVENTS_H_

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "absl/status/status.h"
#include "common/evaluation.h"

namespace seraph {

// How good the model is on some rows.
struct Score {
  EvaluationMetrics metrics;
  std::optional<double> auc;  // Models that have one, with rows of both classes.
};

// The job has its servers and workers, and its data is read.
struct JobStartedEvent {
  uint32_t servers = 0;
  uint32_t workers = 0;
  uint64_t rows = 0;  // Of the training data.
};

// One supersedes the one before it.
struct JobProgressEvent {
  uint32_t epoch = 0;
  uint64_t rows = 0;      // Of this epoch so far, all workers.
  double train_loss = 0;  // Mean over these rows.
  double rows_per_s = 0;
  std::string phase;  // "reading", "training", "testing", "saving".
};

// An epoch is trained, and tested where the job has test data.
struct EpochDoneEvent {
  uint32_t epoch = 0;  // From 1.
  uint64_t rows = 0;
  double seconds = 0;  // Of training, without the test.
  double rows_per_s = 0;
  Score train;                      // Progressive: rows are scored before they are learned.
  std::optional<Score> validation;  // Absent unless rows are held out.
  std::optional<Score> test;        // Absent without test data.
};

// The job's last event.
struct JobDoneEvent {
  enum class Status { kSucceeded, kFailed, kCancelled };
  Status status = Status::kSucceeded;
  absl::Status error;  // With its hint (common/hint.h); OK when the job succeeded.
  uint32_t epochs = 0;
  double seconds = 0;
  uint32_t best_epoch = 0;          // Early stop: that of the model; 0 without.
  std::optional<Score> validation;  // Of the best epoch, without early stop of the last one.
  std::optional<Score> test;        // Likewise.
  uint64_t rows_read = 0;
  uint64_t rows_skipped = 0;
};

// One of the events of a job.
struct JobEvent {
  uint64_t number = 0;  // From 1, ascending.
  std::variant<JobStartedEvent, JobProgressEvent, EpochDoneEvent, JobDoneEvent> kind;
};

// Keeps every event but progress, of which only the latest kProgressKept: a watcher that is far
// behind misses old progress, and sees a gap in the numbers there. Not thread-safe.
class EventLog {
 public:
  static constexpr size_t kProgressKept = 256;

  template <typename Kind>
  void Append(Kind kind) {
    events_.push_back({++last_, std::move(kind)});
    if constexpr (std::is_same_v<Kind, JobProgressEvent>) Thin();
  }

  // Events with numbers above `after`.
  std::vector<JobEvent> After(uint64_t after) const;
  uint64_t last() const { return last_; }  // Number of the latest; 0 when there is none.

 private:
  void Thin();

  std::deque<JobEvent> events_;
  uint64_t last_ = 0;
  size_t progress_ = 0;  // Progress events among events_.
};

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_JOB_EVENTS_H_
