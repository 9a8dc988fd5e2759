// SPDX-License-Identifier: Apache-2.0
// From a resolved job (proto) to the options that models, tables and data take.
#ifndef SERAPH_WORKER_TRAIN_JOB_PLAN_H_
#define SERAPH_WORKER_TRAIN_JOB_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/table_spec.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"
#include "worker/data/data_set.h"
#include "worker/model/model.h"

namespace seraph {

Model::Options ModelOptionsOf(const v1::JobSpec& job);

// The spec of one of the model's tables: the job's optimizer with tables.NAME.optimizer over it,
// penalties only where the table is regularised, consistency of the job, and a seed of its own
// drawn from train.seed and its name.
TableSpec TableSpecOf(const v1::JobSpec& job, const ModelTable& table);

// How labels are read: by data.label for binary models, as they are for regression.
absl::StatusOr<LabelMap> LabelMapOf(const v1::JobSpec& job, PredictionKind kind);
BadRowPolicy BadRowPolicyOf(const v1::JobSpec& job);

// The files behind data.train or data.test, each with its own format. Errors as of ExpandPath.
absl::StatusOr<std::vector<DataFile>> DataFilesOf(
    const v1::JobSpec& job, const google::protobuf::RepeatedPtrField<v1::DataPath>& paths);

v1::DataIndex ToProto(const DataIndex& index);
DataIndex FromProto(const v1::DataIndex& proto);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_JOB_PLAN_H_
