// SPDX-License-Identifier: Apache-2.0
// From a resolved job (proto) to the options that models, tables and data take.
#ifndef SERAPH_WORKER_TRAIN_JOB_PLAN_H_
#define SERAPH_WORKER_TRAIN_JOB_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "common/evaluation.h"
#include "common/table_spec.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"
#include "worker/data/data_set.h"
#include "worker/model/model.h"

namespace seraph {

// What the job says of its model.
Model::Options ModelOptionsOf(const v1::JobSpec& job);

// Parameters that `config` states replace those of `spec`; the others stay.
void OverrideOptimizer(const v1::OptimizerConfig& config, OptimizerSpec* spec);

// INVALID_ARGUMENT names a mode or reduction that does not exist.
absl::StatusOr<SyncSpec> SyncSpecOf(const v1::SyncConfig& config);

// The spec of one of the model's tables: the job's optimizer with tables.NAME.optimizer over it,
// penalties only where the table is regularised, consistency of the job, and a seed of its own
// drawn from train.seed and its name. Errors as of SyncSpecOf.
absl::StatusOr<TableSpec> TableSpecOf(const v1::JobSpec& job, const ModelTable& table);

// How labels are read for the job's model: by data.label where it tells two classes apart, as
// classes, or as they are. INVALID_ARGUMENT names what is no number, or stands on both sides.
absl::StatusOr<LabelMap> LabelMapOf(const v1::JobSpec& job, const Model& model);
// data.on_bad_row and its limit.
BadRowPolicy BadRowPolicyOf(const v1::JobSpec& job);

// How the rows of a data set are read: labels as given, bad rows and hashed keys as the job says.
DataSet::Options DataOptionsOf(const v1::JobSpec& job, LabelMap labels);

// The files behind entries of the section, each with its own format (worker/train/data_entry.h)
// and weights. Errors as of ExpandPath.
absl::StatusOr<std::vector<DataFile>> DataFilesOf(
    const v1::DataSpec& data, const google::protobuf::RepeatedPtrField<v1::DataPath>& entries);

v1::PredictionKind ToProto(PredictionKind kind);

// An index as it travels: nothing is lost either way. Whether it makes sense is the reader's to
// check (the scheduler does, before others get it).
v1::DataIndex ToProto(const DataIndex& index);
DataIndex FromProto(const v1::DataIndex& proto);

}  // namespace seraph

#endif  // SERAPH_WORKER_TRAIN_JOB_PLAN_H_
