// SPDX-License-Identifier: Apache-2.0
// proto/control.proto to and from the scheduler's cores. Everything that comes from the wire is
// checked here or there; nothing of it can crash.
#ifndef SERAPH_SCHEDULER_SERVICE_CONTROL_CODEC_H_
#define SERAPH_SCHEDULER_SERVICE_CONTROL_CODEC_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/score_runs.h"
#include "proto/control.pb.h"
#include "scheduler/job_events.h"
#include "scheduler/job_tasks.h"
#include "scheduler/membership.h"
#include "scheduler/table_catalogue.h"

namespace seraph {

// INVALID_ARGUMENT names the key and value that a resolved job cannot have. Whether its model
// exists is the workers' to say.
absl::StatusOr<JobPlan> PlanOf(const v1::JobSpec& spec);

// INVALID_ARGUMENT for a kind or number that does not exist.
absl::StatusOr<NodeKind> DecodeKind(v1::NodeKind kind);
absl::StatusOr<NodeInfo> DecodeNode(const v1::RegisterNode& request);

// The result in the request. INVALID_ARGUMENT for sizes that do not add up. REQUIRES: it has one.
absl::StatusOr<TaskOutcome> DecodeResult(const v1::NextTask& request);

// INVALID_ARGUMENT when the three lists differ in length.
absl::StatusOr<std::vector<ScoreCount>> DecodeRun(const v1::ScoreRun& run);

v1::NodeStatus EncodeNode(const Node& node);
v1::TableInfo EncodeTable(const TableEntry& table);
v1::JobEvent EncodeEvent(const JobEvent& event);

// Fills number and kind; a prepare task comes without the indexes.
void EncodeTask(const Task& task, const JobPlan& plan, uint32_t rank, v1::NextTaskReply* reply);

}  // namespace seraph

#endif  // SERAPH_SCHEDULER_SERVICE_CONTROL_CODEC_H_
