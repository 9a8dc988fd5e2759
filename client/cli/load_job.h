// SPDX-License-Identifier: Apache-2.0
// From a job file on disk to a job that can start.
#ifndef SERAPH_CLIENT_CLI_LOAD_JOB_H_
#define SERAPH_CLIENT_CLI_LOAD_JOB_H_

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/file_system.h"
#include "proto/job.pb.h"

namespace seraph {

struct LoadJobOptions {
  std::string path;
  std::vector<std::string> overrides;
  int cores = 1;
  std::function<std::optional<int>()> interrupted = [] { return std::nullopt; };
};

// Reads, resolves and checks the job and its inputs. A job without a name takes that of its file;
// one without output.model writes to out/NAME beside its file. Every error names the file and,
// where the key was stated, its line: "job.yaml:7: train.epochs: ...".
absl::StatusOr<v1::JobSpec> LoadJob(FileSystem* files, const LoadJobOptions& options);

}  // namespace seraph

#endif  // SERAPH_CLIENT_CLI_LOAD_JOB_H_
