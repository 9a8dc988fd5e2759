// SPDX-License-Identifier: Apache-2.0
// `seraph train JOB.yaml`: runs a job on a cluster of its own.
#ifndef SERAPH_CLIENT_CLI_TRAIN_COMMAND_H_
#define SERAPH_CLIENT_CLI_TRAIN_COMMAND_H_

#include <string>
#include <vector>

#include "client/cli/command_context.h"

namespace seraph {

struct TrainFlags {
  std::string job;                     // Path of the job file.
  std::vector<std::string> overrides;  // --set
  bool processes = false;
  bool json = false;
  bool dry_run = false;
};

// Returns the exit code, after the end has been reported. Nothing that it started stays behind.
// With flags.processes, call it from the main thread.
int RunTrain(const TrainFlags& flags, const CommandContext& context);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_TRAIN_COMMAND_H_
