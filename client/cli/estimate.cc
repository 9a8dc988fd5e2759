// SPDX-License-Identifier: Apache-2.0
#include "client/cli/estimate.h"

#include <memory>
#include <utility>
#include <vector>

#include "absl/container/flat_hash_set.h"
#include "common/status_macros.h"
#include "server/optimizer/optimizer.h"
#include "server/table/row_memory.h"
#include "worker/data/batch.h"
#include "worker/data/data_set.h"
#include "worker/data/field_pairs.h"
#include "worker/model/registry.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

constexpr uint64_t kParsedBytes = uint64_t{64} << 20;

struct OpenData {
  std::unique_ptr<DataSet> data;
  DataIndex index;
};

absl::StatusOr<OpenData> OpenAndIndex(
    const v1::JobSpec& job, const Model& model,
    const google::protobuf::RepeatedPtrField<v1::DataPath>& paths) {
  OpenData open;
  ASSIGN_OR_RETURN(std::vector<DataFile> files, DataFilesOf(job.data(), paths));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(job, model));
  ASSIGN_OR_RETURN(DataSet::Options options, DataOptionsOf(job, std::move(labels), {}));
  ASSIGN_OR_RETURN(open.data, DataSet::Open(std::move(files), std::move(options)));
  ASSIGN_OR_RETURN(open.index, open.data->BuildIndex());
  return open;
}

uint64_t BytesOf(const DataIndex& index) {
  uint64_t bytes = 0;
  for (const Block& block : index.blocks) bytes += block.bytes;
  return bytes;
}

// Distinct keys, and distinct pairs of a feature and a field where the model has tables of them.
absl::Status CountFeatures(const OpenData& train, bool needs_fields, JobEstimate* estimate) {
  absl::flat_hash_set<uint64_t> keys, pair_keys;
  uint64_t bytes = 0;
  BatchBuilder batch;
  FieldPairs pairs;
  estimate->all_features = true;
  for (const Block& block : train.index.blocks) {
    if (bytes > kParsedBytes) {
      estimate->all_features = false;
      break;
    }
    bytes += block.bytes;
    batch.Clear();
    RETURN_IF_ERROR(train.data->ReadBlock(block, {}, [&](uint32_t, const Row& row) {
      keys.insert(row.keys.begin(), row.keys.end());
      if (needs_fields) batch.Add(row);
      return absl::OkStatus();
    }));
    RETURN_IF_ERROR(pairs.Build(batch.batch()));
    pair_keys.insert(pairs.keys().begin(), pairs.keys().end());
  }
  estimate->features = keys.size();
  estimate->feature_fields = pair_keys.size();
  return absl::OkStatus();
}

absl::Status AddTables(const v1::JobSpec& job, const Model& model, JobEstimate* estimate) {
  for (const ModelTable& table : model.tables()) {
    ASSIGN_OR_RETURN(const TableSpec spec, TableSpecOf(job, table));
    ASSIGN_OR_RETURN(const std::unique_ptr<Optimizer> optimizer, NewOptimizer(spec.optimizer));
    uint64_t rows = spec.rows;
    if (table.keys == TableKeys::kFeatures) rows = estimate->features;
    if (table.keys == TableKeys::kFeatureFields) rows = estimate->feature_fields;
    estimate->table_bytes += rows * RowBytes(spec.kind, spec.dim, optimizer->StateWidth(spec.dim));
  }
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<JobEstimate> EstimateJob(const v1::JobSpec& job) {
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, NewModel(ModelOptionsOf(job)));
  JobEstimate estimate;
  ASSIGN_OR_RETURN(const OpenData train, OpenAndIndex(job, *model, job.data().train()));
  estimate.train_files = train.index.files.size();
  estimate.train_rows = train.index.rows;
  estimate.train_bytes = BytesOf(train.index);
  if (!job.data().test().empty()) {
    ASSIGN_OR_RETURN(const OpenData test, OpenAndIndex(job, *model, job.data().test()));
    estimate.test_rows = test.index.rows;
    estimate.test_bytes = BytesOf(test.index);
  }
  RETURN_IF_ERROR(CountFeatures(train, NeedsFields(*model), &estimate));
  RETURN_IF_ERROR(AddTables(job, *model, &estimate));
  return estimate;
}

}  // namespace seraph
