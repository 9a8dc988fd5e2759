// SPDX-License-Identifier: Apache-2.0
// From a resolved job (proto) to the options that models, tables and data take.
#ifndef SERAPH_WORKER_TRAIN_JOB_PLAN_H_
#define SERAPH_WORKER_TRAIN_JOB_PLAN_H_

#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/types/span.h"
#include "common/evaluation.h"
#include "common/table_spec.h"
#include "proto/control.pb.h"
#include "proto/job.pb.h"
#include "worker/data/data_set.h"
#include "worker/data/scale.h"
#include "worker/model/model.h"

namespace seraph {

// What the job says of its model.
Model::Options ModelOptionsOf(const v1::JobSpec& job);

// Parameters that `config` states replace those of `spec`, a schedule as a whole; the others stay.
// INVALID_ARGUMENT names a type of schedule that does not exist; `spec` is then half changed.
absl::Status OverrideOptimizer(const v1::OptimizerConfig& config, OptimizerSpec* spec);

// INVALID_ARGUMENT names a mode or reduction that does not exist.
absl::StatusOr<SyncSpec> SyncSpecOf(const v1::SyncConfig& config);

// The spec of one of the model's tables: the job's optimizer with tables.NAME.optimizer over it,
// penalties only where the table is regularised, consistency of the job, and a seed of its own
// drawn from train.seed and its name. Errors as of SyncSpecOf.
absl::StatusOr<TableSpec> TableSpecOf(const v1::JobSpec& job, const ModelTable& table);

// How labels are read for the job's model: by data.label where it tells two classes apart, as
// classes, or as they are. INVALID_ARGUMENT names what stands on both sides.
absl::StatusOr<LabelMap> LabelMapOf(const v1::JobSpec& job, const Model& model);
// data.on_bad_row and its limit.
BadRowPolicy BadRowPolicyOf(const v1::JobSpec& job);

// How the rows of a data set are read: labels as given; bad rows, hashed keys and weights of
// classes as the job says; values scaled as it says with what was found of the training data (empty
// before that). INVALID_ARGUMENT: scales that cannot be, a class that is no number.
absl::StatusOr<DataSet::Options> DataOptionsOf(const v1::JobSpec& job, LabelMap labels,
                                               const v1::DataFit& fit);

// data.scale. INVALID_ARGUMENT names what is none.
absl::StatusOr<ScaleRule> ScaleRuleOf(const v1::JobSpec& job);
// What scales the rows of a job with that fit. Errors as of DataOptionsOf.
absl::StatusOr<Scaler> ScalerOf(const v1::JobSpec& job, const v1::DataFit& fit);
v1::DataFit ToProto(absl::Span<const FeatureScale> scales);

// A model that goes on sees features under the keys that it had, and values scaled as before.
// FAILED_PRECONDITION names both jobs' data.hash_bits, data.fields (where the model has fields) or
// data.scale when they differ.
absl::Status CheckSameKeys(const v1::JobSpec& saved, const v1::JobSpec& job);

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
