// SPDX-License-Identifier: Apache-2.0
#include "worker/train/rank_job.h"

#include <utility>

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "common/version.h"
#include "server/checkpoint/model_folder.h"
#include "transport/table_spec_codec.h"
#include "worker/compute/cpu/cpu_backend.h"
#include "worker/model/registry.h"
#include "worker/train/evaluator.h"
#include "worker/train/job_plan.h"
#include "worker/train/joint_batches.h"
#include "worker/train/leased_rows.h"
#include "worker/train/trainer.h"

namespace seraph {
namespace {

// Long enough for a server that is alive; one that hangs holds nobody up. Requests that are on
// their way are handled all the same.
constexpr absl::Duration kDropDeadline = absl::Seconds(2);

}  // namespace

absl::StatusOr<std::unique_ptr<RankJob>> RankJob::Create(Options options) {
  ASSIGN_OR_RETURN(std::unique_ptr<Model> model, NewModel(ModelOptionsOf(options.spec)));
  ASSIGN_OR_RETURN(LabelMap labels, LabelMapOf(options.spec, *model));
  ASSIGN_OR_RETURN(const SyncSpec sync, SyncSpecOf(options.spec.sync()));
  return std::unique_ptr<RankJob>(
      new RankJob(std::move(options), sync, std::move(model), std::move(labels)));
}

RankJob::RankJob(Options options, const SyncSpec& sync, std::unique_ptr<Model> model,
                 LabelMap labels)
    : options_(std::move(options)),
      sync_(sync),
      model_(std::move(model)),
      labels_(std::move(labels)),
      backend_(NewCpuBackend()) {}

absl::StatusOr<std::unique_ptr<DataSet>> RankJob::OpenData(
    const std::vector<DataFile>& files) const {
  ASSIGN_OR_RETURN(DataSet::Options options, DataOptionsOf(options_.spec, labels_, fit_));
  options.spill_folder = options_.spill_folder;
  return DataSet::Open(files, std::move(options));
}

absl::StatusOr<v1::IndexResult> RankJob::Index(const v1::IndexTask& task) {
  v1::IndexResult result;
  result.set_prediction(ToProto(model_->prediction_kind()));
  ASSIGN_OR_RETURN(const std::vector<DataFile> train,
                   DataFilesOf(options_.spec.data(), task.train()));
  ASSIGN_OR_RETURN(train_, OpenData(train));
  ASSIGN_OR_RETURN(const DataIndex train_index, train_->BuildIndex());
  *result.mutable_train() = ToProto(train_index);
  RETURN_IF_ERROR(Fit(train_index));
  *result.mutable_fit() = fit_;
  if (task.test().empty()) return result;
  ASSIGN_OR_RETURN(const std::vector<DataFile> test,
                   DataFilesOf(options_.spec.data(), task.test()));
  ASSIGN_OR_RETURN(test_, OpenData(test));
  ASSIGN_OR_RETURN(const DataIndex test_index, test_->BuildIndex());
  *result.mutable_test() = ToProto(test_index);
  return result;
}

// A model that goes on keeps what it was trained with.
std::optional<HoldOut> RankJob::HoldOutOf(const DataIndex& index) const {
  const v1::JobSpec& spec = options_.spec;
  if (!(spec.validation() > 0)) return std::nullopt;
  return HoldOut(index, spec.validation(), spec.train().seed());
}

absl::Status RankJob::Fit(const DataIndex& index) {
  ASSIGN_OR_RETURN(const ScaleRule rule, ScaleRuleOf(options_.spec));
  if (!rule.fitted()) return absl::OkStatus();
  if (!options_.spec.train().start_from().empty()) {
    ASSIGN_OR_RETURN(const v1::ModelManifest start,
                     ReadManifest(*options_.file_system, options_.spec.train().start_from()));
    fit_ = start.fit();
  } else {
    const std::optional<HoldOut> held_out = HoldOutOf(index);
    ASSIGN_OR_RETURN(const std::vector<FeatureScale> scales,
                     train_->FitScales(index, rule.method, held_out ? &*held_out : nullptr,
                                       [this] { return cancellation_.status(); }));
    fit_ = ToProto(scales);
  }
  ASSIGN_OR_RETURN(Scaler scaler, ScalerOf(options_.spec, fit_));
  return train_->SetScaler(std::move(scaler));
}

absl::StatusOr<v1::PrepareResult> RankJob::Prepare(const v1::PrepareTask& task) {
  fit_ = task.fit();
  train_index_ = FromProto(task.train());
  test_index_ = FromProto(task.test());
  if (train_ == nullptr) {
    ASSIGN_OR_RETURN(train_, OpenData(train_index_.files));
  }
  if (test_ == nullptr && !test_index_.files.empty()) {
    ASSIGN_OR_RETURN(test_, OpenData(test_index_.files));
  }
  hold_out_ = HoldOutOf(train_index_);
  Client::Options options;
  options.network = options_.network;
  options.clock = options_.clock;
  options.scheduler = options_.scheduler;
  options.group = options_.group;
  options.rank = options_.seat.rank;
  options.workers = workers();
  options.deadline = deadline();
  ASSIGN_OR_RETURN(std::shared_ptr<Client> connected, Client::Connect(options));
  {
    MutexLock lock(&mu_);
    client_ = std::move(connected);
  }
  RETURN_IF_ERROR(cancellation_.status());  // An Abort that came before has met no client.
  if (options_.spec.train().has_start_from() && !options_.spec.train().start_from().empty()) {
    ASSIGN_OR_RETURN(start_,
                     ReadManifest(*options_.file_system, options_.spec.train().start_from()));
    RETURN_IF_ERROR(CheckSameKeys(start_.job(), options_.spec));
  }
  RETURN_IF_ERROR(OpenTables());
  RETURN_IF_ERROR(LoadStart());
  stepper_ = std::make_unique<Stepper>(model_.get(), backend_.get(), client().get(), tables_);
  return v1::PrepareResult();
}

absl::Status RankJob::OpenTables() {
  tables_.clear();
  for (const ModelTable& table : model_->tables()) {
    ASSIGN_OR_RETURN(TableSpec spec, TableSpecOf(options_.spec, table));
    if (start_.format_version() != 0) RETURN_IF_ERROR(ContinueTable(start_, options_.spec, &spec));
    ASSIGN_OR_RETURN(Table opened, client()->OpenOrCreateTable(spec));
    tables_.push_back(std::move(opened));
  }
  return absl::OkStatus();
}

absl::Status RankJob::LoadStart() {
  if (start_.format_version() == 0 || options_.seat.rank != 0) return absl::OkStatus();
  return LoadModelTables(client().get(), tables_, options_.spec.train().start_from(), start_);
}

absl::StatusOr<v1::TrainResult> RankJob::Train(const v1::TrainTask& task) {
  const v1::JobSpec& spec = options_.spec;
  const bool joint = HasJointSteps(sync_.mode);
  const uint64_t order_epoch = start_.epochs() + uint64_t{task.epoch()};
  std::unique_ptr<RowSource> rows;
  if (joint) {
    rows = std::make_unique<JointBatches>(
        JointBatches::Options{train_.get(), &train_index_, spec.train().seed(), order_epoch,
                              spec.train().full_batch() ? 0 : spec.train().batch_size(),
                              options_.seat.rank, workers(), hold_out()});
  } else {
    rows = std::make_unique<LeasedRows>(LeasedRows::Options{
        train_.get(), &train_index_, options_.agent, options_.seat, task.epoch(),
        spec.train().seed(), order_epoch, spec.train().batch_size(), deadline(), hold_out()});
  }
  TrainEpochOptions epoch;
  epoch.seat = options_.seat;
  epoch.epoch = task.epoch();
  epoch.start_clock = task.start_clock();
  epoch.idles_at_end = !joint;
  const uint64_t skipped_before = train_->rows_skipped();
  ASSIGN_OR_RETURN(v1::TrainResult result,
                   TrainEpoch(epoch, rows.get(), stepper_.get(), client().get(), options_.agent,
                              options_.clock, cancellation_));
  result.set_rows_skipped(train_->rows_skipped() - skipped_before);
  return result;
}

absl::StatusOr<v1::EvaluateResult> RankJob::Evaluate(const v1::EvaluateTask& task,
                                                     uint64_t task_number) {
  const DataSet* const data = task.validation() ? train_.get() : test_.get();
  const HoldOut* const only = task.validation() ? hold_out() : nullptr;
  if (data == nullptr || (task.validation() && only == nullptr)) {
    return absl::InternalError("asked to evaluate on data that the job does not have");
  }
  const uint64_t skipped_before = data->rows_skipped();
  EvaluateOptions evaluate{options_.seat, task_number,           task.first_block(),
                           task.stride(), options_.spill_folder, only};
  ASSIGN_OR_RETURN(v1::EvaluateResult result,
                   EvaluateBlocks(evaluate, *data, task.validation() ? train_index_ : test_index_,
                                  *model_, stepper_.get(), options_.agent, cancellation_));
  result.set_rows_skipped(data->rows_skipped() - skipped_before);
  return result;
}

absl::StatusOr<v1::SaveResult> RankJob::Save(const v1::SaveTask& task) {
  v1::SaveResult result;
  ASSIGN_OR_RETURN(const std::vector<Client::ServerUse> uses, client()->ServerStats());
  for (const Client::ServerUse& use : uses) {
    v1::ServerUse* out = result.add_servers();
    out->set_name(use.address);
    *out->mutable_stats() = use.stats;
  }
  if (options_.spec.output().model().empty()) return result;
  v1::ModelManifest manifest;
  manifest.set_written_by(absl::StrCat("seraph ", kVersion));
  *manifest.mutable_job() = options_.spec;
  *manifest.mutable_fit() = fit_;
  manifest.set_epochs(start_.epochs() + task.epochs());
  manifest.set_steps(start_.steps() + task.steps());
  RETURN_IF_ERROR(SaveAs(task.mode(), std::move(manifest)));
  return result;
}

absl::Status RankJob::SaveAs(v1::SaveTask::Mode mode, v1::ModelManifest manifest) {
  if (mode == v1::SaveTask::KEPT) {
    if (kept_ == nullptr) return absl::InternalError("asked to publish a model that was not kept");
    const std::unique_ptr<KeptModel> kept = std::move(kept_);
    return kept->Publish();
  }
  if (mode != v1::SaveTask::NOW && mode != v1::SaveTask::KEEP) {
    return absl::InvalidArgumentError(absl::StrCat("save task: unknown mode ", mode));
  }
  ASSIGN_OR_RETURN(std::unique_ptr<KeptModel> written,
                   KeptModel::Write(options_.file_system, client().get(), tables_,
                                    options_.spec.output().model(), std::move(manifest)));
  kept_ = std::move(written);
  return mode == v1::SaveTask::NOW ? std::exchange(kept_, nullptr)->Publish() : absl::OkStatus();
}

void RankJob::Finish(const v1::FinishTask& task) {
  const std::shared_ptr<Client> client = this->client();
  if (client == nullptr || options_.seat.rank != 0) return;
  // Best effort: servers that cannot be reached have forgotten the group anyway.
  const std::string reason = task.reason().empty() ? "the job has ended" : task.reason();
  client->DropGroup(reason, kDropDeadline).IgnoreError();
}

void RankJob::Abort(const absl::Status& reason) {
  cancellation_.Cancel(reason);
  const std::shared_ptr<Client> client = this->client();
  if (client == nullptr) return;
  client->Cancel(reason);
  client->DropGroup(std::string(reason.message()), kDropDeadline).IgnoreError();
}

}  // namespace seraph
