// SPDX-License-Identifier: Apache-2.0
// Tells the user of a running job what happens: lines for people, or JSON for programs.
#ifndef SERAPH_CLIENT_CLI_JOB_REPORTER_H_
#define SERAPH_CLIENT_CLI_JOB_REPORTER_H_

#include <memory>
#include <ostream>

#include "absl/status/status.h"
#include "client/cli/terminal.h"
#include "common/evaluation.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"

namespace seraph {

// How a job ended, for the one who waited for it. A plain value.
struct JobEnd {
  absl::Status status;    // OK: it succeeded.
  int signal_number = 0;  // The signal that ended it; `status` is then not OK.
  v1::JobDone done;       // What the scheduler said; empty when it did not get to that.
};

// Not thread-safe. Calls come in the order of the job's events; Ended comes last, once.
class JobReporter {
 public:
  virtual ~JobReporter() = default;
  virtual void Started(const v1::JobStarted& started) = 0;
  virtual void Progress(const v1::JobProgress& progress) = 0;
  virtual void EpochDone(const v1::EpochDone& epoch) = 0;
  virtual void Ended(const JobEnd& end) = 0;
};

// One object a line, as documented for `seraph train --json`. `out` outlives it.
std::unique_ptr<JobReporter> NewJsonReporter(const v1::JobSpec& job, PredictionKind kind,
                                             std::ostream* out);

// Plain lines; on a live terminal progress is written anew on the last one. Errors are not its
// business: the command writes them to stderr.
std::unique_ptr<JobReporter> NewTextReporter(const v1::JobSpec& job, PredictionKind kind,
                                             const Terminal& terminal);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_JOB_REPORTER_H_
