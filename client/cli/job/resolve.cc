// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve.h"

#include <google/protobuf/descriptor.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "absl/algorithm/container.h"
#include "absl/status/statusor.h"
#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "client/cli/job/choice.h"
#include "client/cli/job/resolve_entries.h"
#include "client/cli/job/resolve_optimizer.h"
#include "client/cli/job/resolve_rows.h"
#include "client/cli/job/resolve_validation.h"
#include "client/cli/job/scalar_text.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "worker/model/model.h"
#include "worker/model/registry.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

constexpr uint32_t kDefaultServers = 2;
constexpr int kMostDefaultWorkers = 4;
constexpr uint32_t kDefaultEpochs = 10;
constexpr uint32_t kMaxEpochs = 1'000'000;
constexpr uint32_t kDefaultBatchSize = 1024;
constexpr uint32_t kMaxBatchSize = 1u << 24;
constexpr uint64_t kDefaultSeed = 1;
constexpr int64_t kDefaultStaleness = 4;
constexpr int64_t kMaxStaleness = 1'000'000;
constexpr double kDefaultDeadlineS = 60;
constexpr double kMaxDeadlineS = 30 * 86400;

absl::Status Wrong(const std::string& key, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat(key, ": ", what));
}

template <typename T>
absl::Status CheckRange(const std::string& key, T value, T low, T high) {
  if (value >= low && value <= high) return absl::OkStatus();
  return Wrong(key, absl::StrCat(value, " is not in ", low, "..", high));
}

// What the section states must mean something to the type.
absl::Status CheckModelParameters(const v1::ModelSpec& model) {
  const auto* const reflection = model.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> stated;
  reflection->ListFields(model, &stated);
  for (const auto* const field : stated) {
    const std::string& name = field->name();
    if (name == "type" || name == "bias" || ModelHasParameter(model.type(), name)) continue;
    const std::vector<std::string> others = ModelsWithParameter(name);
    return Wrong("model." + name,
                 absl::StrCat(model.type(), " has no ", name, ", ", absl::StrJoin(others, " and "),
                              others.size() == 1 ? " has" : " have"));
  }
  return absl::OkStatus();
}

absl::StatusOr<std::unique_ptr<Model>> ResolveModel(v1::JobSpec* job) {
  v1::ModelSpec* const model = job->mutable_model();
  if (model->type().empty()) return Wrong("model.type", "missing: state which model to train");
  RETURN_IF_ERROR(CheckChoice("model.type", model->type(), ModelNames(),
                              {"mlp", "wide_deep", "deepfm", "dcn", "nfm", "dlrm", "two_tower",
                               "graph", "mf", "kmeans", "gbdt", "lda", "word2vec"}));
  RETURN_IF_ERROR(CheckModelParameters(*model));
  ASSIGN_OR_RETURN(const ModelDefaults defaults, DefaultsOf(model->type()));
  const auto unset = [model](const char* name, bool has) {
    return !has && ModelHasParameter(model->type(), name);
  };
  if (!model->has_bias()) model->set_bias(true);
  if (unset("factors", model->has_factors())) model->set_factors(defaults.factors);
  if (unset("init_scale", model->has_init_scale())) model->set_init_scale(defaults.init_scale);
  if (unset("loss", model->has_loss())) model->set_loss(SvmLosses().front());
  if (unset("delta", model->has_delta())) model->set_delta(Model::Options().delta);
  if (model->has_loss()) RETURN_IF_ERROR(CheckChoice("model.loss", model->loss(), SvmLosses(), {}));
  if (unset("classes", model->has_classes())) {
    return WithHint(Wrong("model.classes", "missing: state how many classes the labels tell apart"),
                    "labels are 0 to classes - 1");
  }
  return NewModel(ModelOptionsOf(*job));
}

absl::Status ResolveData(PredictionKind kind, v1::DataSpec* data) {
  RETURN_IF_ERROR(ResolveEntries(data));
  RETURN_IF_ERROR(ResolveScale(data));
  RETURN_IF_ERROR(CheckLabels(TraitsOf(kind).labels == LabelKind::kBinary, *data));
  if (!data->has_on_bad_row()) data->set_on_bad_row("fail");
  RETURN_IF_ERROR(CheckChoice("data.on_bad_row", data->on_bad_row(), {"fail", "skip"}, {}));
  if (!data->has_max_bad_rows()) data->set_max_bad_rows(0);
  if (data->max_bad_rows() > 0 && data->on_bad_row() != "skip") {
    return Wrong("data.max_bad_rows", "counts only with on_bad_row: skip");
  }
  return absl::OkStatus();
}

// Rows of columns have fields always; those of indices where their format or the data says so.
absl::Status CheckFields(const v1::JobSpec& job) {
  if (!ModelNeedsFields(job.model().type())) return absl::OkStatus();
  for (const auto* entries : {&job.data().train(), &job.data().test()}) {
    for (const v1::DataPath& entry : *entries) {
      const bool has =
          HasOwnFields(entry.format()) || HasColumns(entry.format()) || !entry.fields().empty();
      if (has) continue;
      return Wrong("data.format",
                   absl::StrCat("model ", job.model().type(), " needs fields, and ", entry.format(),
                                " has none: use libffm or set data.fields"));
    }
  }
  return absl::OkStatus();
}

// How many classes the model tells apart; 0 when its labels are numbers.
uint32_t ClassesOf(const Model& model) {
  const LabelKind labels = TraitsOf(model.prediction_kind()).labels;
  if (labels == LabelKind::kClasses) return static_cast<uint32_t>(model.outputs());
  return labels == LabelKind::kBinary ? 2 : 0;
}

absl::Status ResolveOptimizers(const Model& model, v1::JobSpec* job) {
  ASSIGN_OR_RETURN(const ModelDefaults defaults, DefaultsOf(job->model().type()));
  v1::OptimizerConfig suited;
  suited.set_type(defaults.optimizer);
  suited.set_learning_rate(defaults.learning_rate);
  suited.set_initial_accumulator(defaults.initial_accumulator);
  suited.set_l2(defaults.l2);
  RETURN_IF_ERROR(ResolveOptimizer("optimizer", suited, job->mutable_optimizer()));

  std::vector<std::string> names;
  for (const ModelTable& table : model.tables()) names.push_back(table.name);
  std::vector<std::string> stated;
  for (const auto& entry : job->tables()) stated.push_back(entry.first);
  std::sort(stated.begin(), stated.end());
  for (const std::string& name : stated) {
    RETURN_IF_ERROR(CheckChoice("tables." + name, name, names, {}));
    v1::TableOverride& table = (*job->mutable_tables())[name];
    RETURN_IF_ERROR(ResolveOptimizer(absl::StrCat("tables.", name, ".optimizer"), job->optimizer(),
                                     table.mutable_optimizer()));
  }
  return absl::OkStatus();
}

absl::Status ResolveSync(v1::SyncConfig* sync) {
  if (sync->mode().empty()) sync->set_mode("bsp");
  RETURN_IF_ERROR(CheckChoice("sync.mode", sync->mode(), SyncModeNames(), {}));
  ASSIGN_OR_RETURN(const SyncSpec::Mode mode, SyncModeOf(sync->mode()));
  if (mode == SyncSpec::Mode::kSsp) {
    if (!sync->has_staleness()) sync->set_staleness(kDefaultStaleness);
    RETURN_IF_ERROR(CheckRange<int64_t>("sync.staleness", sync->staleness(), 0, kMaxStaleness));
  } else if (sync->has_staleness()) {
    return Wrong("sync.staleness", absl::StrCat("belongs to ssp, the mode is ", sync->mode()));
  }
  if (!sync->has_reduce()) sync->set_reduce("mean");
  RETURN_IF_ERROR(CheckChoice("sync.reduce", sync->reduce(), ReduceNames(), {}));
  if (!sync->has_deadline_s()) sync->set_deadline_s(kDefaultDeadlineS);
  if (!(sync->deadline_s() > 0 && sync->deadline_s() <= kMaxDeadlineS)) {
    return Wrong("sync.deadline_s",
                 absl::StrCat(sync->deadline_s(), " is not above 0 and at most ", kMaxDeadlineS));
  }
  return absl::OkStatus();
}

absl::Status ResolveTrain(const v1::SyncConfig& sync, v1::TrainSpec* train) {
  if (!train->has_epochs()) train->set_epochs(kDefaultEpochs);
  RETURN_IF_ERROR(CheckRange<uint32_t>("train.epochs", train->epochs(), 1, kMaxEpochs));
  if (!train->has_batch_size()) train->set_batch_size(kDefaultBatchSize);
  RETURN_IF_ERROR(CheckRange<uint32_t>("train.batch_size", train->batch_size(), 1, kMaxBatchSize));
  if (!train->has_full_batch()) train->set_full_batch(false);
  if (train->full_batch() && sync.mode() != SyncModeName(SyncSpec::Mode::kBsp)) {
    return WithHint(
        Wrong("train.full_batch",
              absl::StrCat("a step of all workers' rows needs sync.mode bsp, the mode is ",
                           sync.mode())),
        "state sync: {mode: bsp}, or a train.batch_size instead of full_batch");
  }
  if (!train->has_seed()) train->set_seed(kDefaultSeed);
  if (train->has_start_from() && train->start_from().empty()) {
    return Wrong("train.start_from", "the path is empty");
  }
  return absl::OkStatus();
}

absl::Status CheckWorkerSlots(const std::string& slots) {
  const std::string key = "cluster.worker_slots";
  if (slots == "cpu:1") return absl::OkStatus();
  const size_t colon = slots.find(':');
  uint32_t count = 0;
  const std::string device = slots.substr(0, colon);
  const bool formed = colon != std::string::npos && (device == "cpu" || device == "gpu") &&
                      absl::SimpleAtoi(slots.substr(colon + 1), &count) && count > 0;
  if (!formed) return Wrong(key, absl::StrCat(Quoted(slots), " is not of the form cpu:1"));
  return absl::UnimplementedError(
      absl::StrCat(key, ": ", slots, " is not in this version, only cpu:1 is"));
}

absl::Status ResolveCluster(int cores, v1::ClusterSpec* cluster) {
  if (!cluster->has_servers()) cluster->set_servers(kDefaultServers);
  RETURN_IF_ERROR(CheckRange<uint32_t>("cluster.servers", cluster->servers(), 1, kMaxGroupServers));
  if (!cluster->has_workers()) {
    cluster->set_workers(static_cast<uint32_t>(std::clamp(cores, 1, kMostDefaultWorkers)));
  }
  RETURN_IF_ERROR(CheckRange<uint32_t>("cluster.workers", cluster->workers(), 1, kMaxGroupWorkers));
  if (!cluster->has_replicas()) cluster->set_replicas(0);
  if (cluster->replicas() > 0) {
    return absl::UnimplementedError(absl::StrCat("cluster.replicas: ", cluster->replicas(),
                                                 " is not in this version, only 0 is"));
  }
  if (!cluster->has_worker_slots()) cluster->set_worker_slots("cpu:1");
  return CheckWorkerSlots(cluster->worker_slots());
}

}  // namespace

absl::Status ResolveJob(int cores, v1::JobSpec* job) {
  if (job->name().empty()) job->set_name("job");
  if (absl::c_any_of(job->name(), [](unsigned char c) { return c < 0x20 || c == 0x7f; })) {
    return Wrong("name", absl::StrCat(Quoted(job->name()), " holds control characters"));
  }
  if (ModelHasParameter(job->model().type(), "classes")) {
    RETURN_IF_ERROR(TakeClassesOfData(job->data(), job->mutable_model()));
  }
  ASSIGN_OR_RETURN(const std::unique_ptr<Model> model, ResolveModel(job));
  if (job->data().has_classes() && !job->model().has_classes()) {
    return Wrong("data.classes", absl::StrCat(job->model().type(), " has no classes to state"));
  }
  RETURN_IF_ERROR(ResolveData(model->prediction_kind(), job->mutable_data()));
  RETURN_IF_ERROR(CheckFields(*job));
  RETURN_IF_ERROR(CheckClassWeights(ClassesOf(*model), job->data()));
  if (job->model().has_classes()) job->mutable_data()->set_classes(job->model().classes());
  RETURN_IF_ERROR(ResolveOptimizers(*model, job));
  RETURN_IF_ERROR(ResolveSync(job->mutable_sync()));
  RETURN_IF_ERROR(ResolveTrain(job->sync(), job->mutable_train()));
  RETURN_IF_ERROR(ResolveValidation(model->prediction_kind(), job));
  RETURN_IF_ERROR(ResolveCluster(cores, job->mutable_cluster()));
  job->mutable_output();
  return absl::OkStatus();
}

}  // namespace seraph
