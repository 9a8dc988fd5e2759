// SPDX-License-Identifier: Apache-2.0
#include "scheduler/service/control_codec.h"

#include <limits>
#include <utility>

#include "absl/strings/str_cat.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "transport/channel.h"
#include "transport/table_spec_codec.h"

namespace seraph {
namespace {

constexpr uint32_t kMostEpochs = 1000000;
// A task carries a job's spec and its indexes; both together stay below a message's limit.
constexpr size_t kMostSpecBytes = kMaxHeaderBytes / 8;
constexpr size_t kMostIndexBytes = kMaxHeaderBytes / 4 * 3;

absl::Status CheckRange(absl::string_view key, uint32_t value, uint32_t most) {
  if (value >= 1 && value <= most) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("submit job: ", key, " is ", value, ", not 1..", most));
}

// Whether the blocks are of the index's files and hold its rows.
absl::Status CheckIndex(absl::string_view what, const v1::DataIndex& index) {
  uint64_t rows = 0;
  for (int i = 0; i < index.blocks_size(); ++i) {
    const v1::Block& block = index.blocks(i);
    if (block.file() >= static_cast<uint32_t>(index.files_size())) {
      return absl::InvalidArgumentError(absl::StrCat("index of ", what, ": block ", i,
                                                     " is of file ", block.file(), ", there are ",
                                                     index.files_size(), " files"));
    }
    rows += block.rows();
  }
  if (rows != index.rows()) {
    return absl::InvalidArgumentError(
        absl::StrCat("index of ", what, ": the blocks hold ", rows, " rows, not ", index.rows()));
  }
  return absl::OkStatus();
}

absl::Status CheckRun(const v1::ScoreRun& run) {
  if (run.score_size() == run.positives_size() && run.score_size() == run.negatives_size()) {
    return absl::OkStatus();
  }
  return absl::InvalidArgumentError(absl::StrCat("scores: ", run.score_size(), " scores, ",
                                                 run.positives_size(), " and ",
                                                 run.negatives_size(), " counts"));
}

absl::StatusOr<PredictionKind> DecodePrediction(v1::PredictionKind prediction) {
  switch (prediction) {
    case v1::PREDICTION_KIND_BINARY:
      return PredictionKind::kBinary;
    case v1::PREDICTION_KIND_REGRESSION:
      return PredictionKind::kRegression;
    case v1::PREDICTION_KIND_CLASSES:
      return PredictionKind::kClasses;
    case v1::PREDICTION_KIND_MARGIN:
      return PredictionKind::kMargin;
    case v1::PREDICTION_KIND_VALUE:
      return PredictionKind::kValue;
    default:
      return absl::InvalidArgumentError(absl::StrCat(
          "index: a model that predicts kind ", static_cast<int>(prediction), " is not known"));
  }
}

absl::StatusOr<TaskOutcome> DecodeIndex(const v1::IndexResult& result) {
  // It goes to every rank with the job's spec, which has a limit of its own.
  if (result.ByteSizeLong() > kMostIndexBytes) {
    return absl::InvalidArgumentError(
        absl::StrCat("index: ", result.train().files_size() + result.test().files_size(),
                     " files and ", result.train().blocks_size() + result.test().blocks_size(),
                     " blocks, and scales of ", result.fit().scales_size(), " features, take ",
                     result.ByteSizeLong(), " bytes, at most ", kMostIndexBytes));
  }
  RETURN_IF_ERROR(CheckIndex("training data", result.train()));
  RETURN_IF_ERROR(CheckIndex("test data", result.test()));
  ASSIGN_OR_RETURN(const PredictionKind prediction, DecodePrediction(result.prediction()));
  return TaskOutcome(
      IndexOutcome{.prediction = prediction,
                   .train_blocks = static_cast<uint32_t>(result.train().blocks_size()),
                   .train_rows = result.train().rows(),
                   .test_blocks = static_cast<uint32_t>(result.test().blocks_size()),
                   .test_rows = result.test().rows()});
}

absl::StatusOr<TaskOutcome> DecodeEvaluation(const v1::EvaluateResult& result) {
  RETURN_IF_ERROR(CheckRun(result.run()));
  EvaluateOutcome outcome;
  outcome.rows_skipped = result.rows_skipped();
  outcome.blocks.reserve(static_cast<size_t>(result.blocks_size()));
  for (const v1::BlockSums& block : result.blocks()) {
    outcome.blocks.push_back({block.block(),
                              {.rows = block.rows(),
                               .loss = block.loss(),
                               .correct = block.correct(),
                               .label = block.label(),
                               .label_squared = block.label_squared(),
                               .error_squared = block.error_squared()}});
  }
  return outcome;
}

absl::Status DecodeFailure(const v1::TaskFailure& failure) {
  const bool known = failure.code() >= 1 && failure.code() <= 16;
  const absl::StatusCode code =
      known ? static_cast<absl::StatusCode>(failure.code()) : absl::StatusCode::kUnknown;
  return WithHint(absl::Status(code, failure.error()), failure.hint());
}

void EncodeScore(const Score& score, v1::Metrics* out) {
  const EvaluationMetrics& metrics = score.metrics;
  out->set_rows(metrics.rows);
  if (metrics.logloss) out->set_logloss(*metrics.logloss);
  if (metrics.loss) out->set_loss(*metrics.loss);
  if (metrics.accuracy) out->set_accuracy(*metrics.accuracy);
  if (metrics.base_logloss) out->set_base_logloss(*metrics.base_logloss);
  if (metrics.rmse) out->set_rmse(*metrics.rmse);
  if (metrics.r2) out->set_r2(*metrics.r2);
  if (score.auc) out->set_auc(*score.auc);
}

void EncodeKind(const JobStartedEvent& event, v1::JobEvent* out) {
  v1::JobStarted* started = out->mutable_started();
  started->set_servers(event.servers);
  started->set_workers(event.workers);
  started->set_rows(event.rows);
}

void EncodeKind(const JobProgressEvent& event, v1::JobEvent* out) {
  v1::JobProgress* progress = out->mutable_progress();
  progress->set_epoch(event.epoch);
  progress->set_rows(event.rows);
  progress->set_train_loss(event.train_loss);
  progress->set_rows_per_s(event.rows_per_s);
  progress->set_phase(event.phase);
}

void EncodeKind(const EpochDoneEvent& event, v1::JobEvent* out) {
  v1::EpochDone* epoch = out->mutable_epoch();
  epoch->set_epoch(event.epoch);
  epoch->set_rows(event.rows);
  epoch->set_seconds(event.seconds);
  epoch->set_rows_per_s(event.rows_per_s);
  EncodeScore(event.train, epoch->mutable_train());
  if (event.validation) EncodeScore(*event.validation, epoch->mutable_validation());
  if (event.test) EncodeScore(*event.test, epoch->mutable_test());
}

void EncodeKind(const JobDoneEvent& event, v1::JobEvent* out) {
  v1::JobDone* done = out->mutable_done();
  switch (event.status) {
    case JobDoneEvent::Status::kSucceeded:
      done->set_status(v1::JobDone::SUCCEEDED);
      break;
    case JobDoneEvent::Status::kFailed:
      done->set_status(v1::JobDone::FAILED);
      break;
    case JobDoneEvent::Status::kCancelled:
      done->set_status(v1::JobDone::CANCELLED);
      break;
  }
  done->set_code(static_cast<uint32_t>(event.error.code()));
  done->set_error(std::string(event.error.message()));
  done->set_hint(HintOf(event.error));
  done->set_epochs(event.epochs);
  done->set_seconds(event.seconds);
  done->set_best_epoch(event.best_epoch);
  if (event.validation) EncodeScore(*event.validation, done->mutable_validation());
  if (event.test) EncodeScore(*event.test, done->mutable_test());
  done->set_rows_read(event.rows_read);
  done->set_rows_skipped(event.rows_skipped);
}

}  // namespace

absl::StatusOr<JobPlan> PlanOf(const v1::JobSpec& spec) {
  JobPlan plan;
  if (spec.ByteSizeLong() > kMostSpecBytes) {
    return absl::InvalidArgumentError(absl::StrCat("submit job: the job takes ",
                                                   spec.ByteSizeLong(), " bytes, at most ",
                                                   kMostSpecBytes, "; name folders or globs"));
  }
  plan.servers = spec.cluster().servers();
  plan.workers = spec.cluster().workers();
  plan.epochs = spec.train().epochs();
  RETURN_IF_ERROR(CheckRange("cluster.servers", plan.servers, kMaxGroupServers));
  RETURN_IF_ERROR(CheckRange("cluster.workers", plan.workers, kMaxGroupWorkers));
  RETURN_IF_ERROR(CheckRange("train.epochs", plan.epochs, kMostEpochs));
  if (spec.cluster().replicas() > 0) {
    return absl::UnimplementedError("submit job: cluster.replicas comes with a later version");
  }
  if (spec.data().train_size() == 0) {
    return absl::InvalidArgumentError("submit job: data.train is empty");
  }
  const absl::StatusOr<SyncSpec::Mode> mode = SyncModeOf(spec.sync().mode());
  if (!mode.ok()) return Annotate(mode.status(), "submit job: sync.mode");
  plan.leases = !HasJointSteps(*mode);
  plan.seed = spec.train().seed();
  plan.tests = spec.data().test_size() > 0;
  // Written so that a NaN fails.
  if (!(spec.validation() >= 0 && spec.validation() < 1)) {
    return absl::InvalidArgumentError(absl::StrCat("submit job: validation is ", spec.validation(),
                                                   ", must be from 0 to below 1"));
  }
  plan.validates = spec.validation() > 0;
  if (spec.has_early_stop()) {
    if (!plan.tests && !plan.validates) {
      return absl::InvalidArgumentError(
          "submit job: early_stop: the job has neither validation rows nor test data");
    }
    const std::optional<Metric> metric = MetricNamed(spec.early_stop().metric());
    if (!metric.has_value() || *metric == Metric::kBaseLogloss) {
      return absl::InvalidArgumentError(absl::StrCat(
          "submit job: early_stop.metric: \"", spec.early_stop().metric(), "\" is no metric"));
    }
    plan.early_stop = EarlyStopPlan{*metric, spec.early_stop().patience()};
    RETURN_IF_ERROR(CheckRange("early_stop.patience", plan.early_stop->patience, kMostEpochs));
  }
  return plan;
}

absl::StatusOr<NodeKind> DecodeKind(v1::NodeKind kind) {
  if (kind == v1::SERVER) return NodeKind::kServer;
  if (kind == v1::WORKER) return NodeKind::kWorker;
  return absl::InvalidArgumentError(
      absl::StrCat("node kind ", static_cast<int>(kind), " is neither server nor worker"));
}

absl::StatusOr<NodeInfo> DecodeNode(const v1::RegisterNode& request) {
  NodeInfo info;
  ASSIGN_OR_RETURN(info.kind, DecodeKind(request.kind()));
  info.name = request.name();
  info.address = request.address();
  info.slots = request.slots();
  return info;
}

absl::StatusOr<TaskOutcome> DecodeResult(const v1::NextTask& request) {
  switch (request.result_case()) {
    case v1::NextTask::kIndex:
      return DecodeIndex(request.index());
    case v1::NextTask::kPrepare:
      return TaskOutcome(PrepareOutcome{});
    case v1::NextTask::kTrain:
      return TaskOutcome(TrainOutcome{.rows = request.train().rows(),
                                      .rows_skipped = request.train().rows_skipped(),
                                      .loss_sum = request.train().loss_sum(),
                                      .steps = request.train().steps()});
    case v1::NextTask::kEvaluate:
      return DecodeEvaluation(request.evaluate());
    case v1::NextTask::kSave:
      return TaskOutcome(SaveOutcome{});
    case v1::NextTask::kFailure:
      return TaskOutcome(DecodeFailure(request.failure()));
    case v1::NextTask::RESULT_NOT_SET:
      break;
  }
  return absl::InvalidArgumentError("next task: there is no result");
}

absl::StatusOr<std::vector<ScoreCount>> DecodeRun(const v1::ScoreRun& run) {
  RETURN_IF_ERROR(CheckRun(run));
  std::vector<ScoreCount> counts(static_cast<size_t>(run.score_size()));
  for (int i = 0; i < run.score_size(); ++i) {
    counts[static_cast<size_t>(i)] = {run.score(i), run.positives(i), run.negatives(i)};
  }
  return counts;
}

v1::NodeStatus EncodeNode(const Node& node) {
  v1::NodeStatus status;
  status.set_node(node.id);
  status.set_kind(node.info.kind == NodeKind::kServer ? v1::SERVER : v1::WORKER);
  status.set_name(node.info.name);
  status.set_address(node.info.address);
  status.set_alive(node.alive);
  status.set_exit_reason(node.exit_reason);
  return status;
}

v1::TableInfo EncodeTable(const TableEntry& table) {
  v1::TableInfo info;
  info.set_id(table.id);
  info.set_group(table.group);
  *info.mutable_spec() = ToProto(table.spec);
  info.set_map_epoch(table.map_epoch);
  info.mutable_owner()->Add(table.owner.begin(), table.owner.end());
  for (const ServerRef& server : table.servers) {
    v1::ServerAddress* out = info.add_servers();
    out->set_node(server.node);
    out->set_address(server.address);
  }
  info.set_workers(table.workers);
  return info;
}

v1::JobEvent EncodeEvent(const JobEvent& event) {
  v1::JobEvent out;
  out.set_number(event.number);
  std::visit([&out](const auto& kind) { EncodeKind(kind, &out); }, event.kind);
  return out;
}

void EncodeTask(const Task& task, const JobPlan& plan, uint32_t rank, v1::NextTaskReply* reply) {
  reply->set_task(task.number);
  switch (task.phase) {
    case Phase::kPending:
      break;
    case Phase::kIndex:
      reply->mutable_index();
      break;
    case Phase::kPrepare:
      reply->mutable_prepare();
      break;
    case Phase::kTrain:
      reply->mutable_train()->set_epoch(task.epoch);
      reply->mutable_train()->set_start_clock(static_cast<int64_t>(task.start_clock));
      break;
    case Phase::kValidate:
    case Phase::kEvaluate:
      reply->mutable_evaluate()->set_validation(task.phase == Phase::kValidate);
      reply->mutable_evaluate()->set_epoch(task.epoch);
      reply->mutable_evaluate()->set_first_block(rank);
      reply->mutable_evaluate()->set_stride(plan.workers);
      break;
    case Phase::kKeep:
    case Phase::kSave:
      reply->mutable_save()->set_mode(task.phase == Phase::kKeep ? v1::SaveTask::KEEP
                                      : task.kept                ? v1::SaveTask::KEPT
                                                                 : v1::SaveTask::NOW);
      reply->mutable_save()->set_epochs(task.epochs);
      reply->mutable_save()->set_steps(task.steps);
      break;
    case Phase::kEnded:
      reply->mutable_finish()->set_reason(task.reason);
      break;
  }
}

}  // namespace seraph
