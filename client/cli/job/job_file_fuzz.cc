// SPDX-License-Identifier: Apache-2.0
// Arbitrary bytes as a job file: no crash, and what is read is written and read back equal.
#include <google/protobuf/util/message_differencer.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "client/cli/job/job_file.h"
#include "client/cli/job/resolve.h"

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  (void)seraph::ParseJob(text, "job.textproto", "/d", {});
  (void)seraph::ParseJob("name: x", "job.yaml", "/d", {text});
  absl::StatusOr<seraph::v1::JobSpec> job = seraph::ParseJob(text, "job.yaml", "/d", {});
  if (!job.ok()) return 0;
  (void)seraph::ResolveJob(2, &*job);
  const std::string yaml = seraph::JobToYaml(*job);
  if (yaml.empty()) return 0;
  const absl::StatusOr<seraph::v1::JobSpec> again = seraph::ParseJob(yaml, "job.yaml", "/d", {});
  if (!again.ok() || !google::protobuf::util::MessageDifferencer::Equals(*again, *job)) abort();
  return 0;
}
