// SPDX-License-Identifier: Apache-2.0
#include "worker/train/job_plan.h"

#include <cmath>
#include <optional>
#include <utility>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "common/checksum.h"
#include "common/hash.h"
#include "common/status_macros.h"
#include "worker/data/label_lists.h"
#include "worker/model/registry.h"
#include "worker/train/data_entry.h"

namespace seraph {
namespace {

absl::StatusOr<ScheduleSpec> ScheduleOf(const v1::ScheduleConfig& config) {
  ScheduleSpec spec;
  if (!config.type().empty()) {
    ASSIGN_OR_RETURN(spec.type, ScheduleTypeOf(config.type()));
  }
  spec.warmup_steps = config.warmup_steps();
  spec.decay_steps = config.decay_steps();
  if (config.has_decay()) spec.decay = config.decay();
  spec.min_scale = config.min_scale();
  return spec;
}

}  // namespace

absl::Status OverrideOptimizer(const v1::OptimizerConfig& config, OptimizerSpec* spec) {
  if (!config.type().empty()) spec->type = config.type();
  if (config.has_learning_rate()) spec->learning_rate = config.learning_rate();
  if (config.has_l1()) spec->l1 = config.l1();
  if (config.has_l2()) spec->l2 = config.l2();
  if (config.has_initial_accumulator()) spec->initial_accumulator = config.initial_accumulator();
  if (config.has_epsilon()) spec->epsilon = config.epsilon();
  if (config.has_beta()) spec->beta = config.beta();
  if (config.has_momentum()) spec->momentum = config.momentum();
  if (config.has_rho()) spec->rho = config.rho();
  if (config.has_beta1()) spec->beta1 = config.beta1();
  if (config.has_beta2()) spec->beta2 = config.beta2();
  if (config.has_weight_decay()) spec->weight_decay = config.weight_decay();
  if (config.has_schedule()) {
    ASSIGN_OR_RETURN(spec->schedule, ScheduleOf(config.schedule()));
  }
  return absl::OkStatus();
}

absl::StatusOr<SyncSpec> SyncSpecOf(const v1::SyncConfig& config) {
  SyncSpec sync;
  absl::StatusOr<SyncSpec::Mode> mode = SyncModeOf(config.mode());
  if (!mode.ok()) return Annotate(mode.status(), "sync.mode");
  sync.mode = *mode;
  if (sync.mode == SyncSpec::Mode::kSsp) sync.staleness = config.staleness();
  if (config.has_reduce()) {
    absl::StatusOr<SyncSpec::Reduce> reduce = ReduceOf(config.reduce());
    if (!reduce.ok()) return Annotate(reduce.status(), "sync.reduce");
    sync.reduce = *reduce;
  }
  return sync;
}

Model::Options ModelOptionsOf(const v1::JobSpec& job) {
  Model::Options options;
  options.type = job.model().type();
  if (job.model().has_factors()) options.factors = job.model().factors();
  if (job.model().has_bias()) options.bias = job.model().bias();
  if (job.model().has_init_scale()) options.init_scale = job.model().init_scale();
  if (job.model().has_classes()) options.classes = job.model().classes();
  if (job.model().has_loss()) options.loss = job.model().loss();
  if (job.model().has_delta()) options.delta = job.model().delta();
  return options;
}

absl::StatusOr<TableSpec> TableSpecOf(const v1::JobSpec& job, const ModelTable& table) {
  TableSpec spec;
  spec.name = table.name;
  spec.kind = table.kind;
  spec.dim = table.dim;
  spec.rows = table.rows;
  spec.seed = Mix64(job.train().seed(), Checksum(table.name));
  spec.initializer = table.initializer;
  RETURN_IF_ERROR(OverrideOptimizer(job.optimizer(), &spec.optimizer));
  const auto own = job.tables().find(table.name);
  if (own != job.tables().end()) {
    RETURN_IF_ERROR(OverrideOptimizer(own->second.optimizer(), &spec.optimizer));
  }
  if (!table.regularised) spec.optimizer.l1 = spec.optimizer.l2 = 0;
  ASSIGN_OR_RETURN(spec.sync, SyncSpecOf(job.sync()));
  return spec;
}

absl::StatusOr<LabelMap> LabelMapOf(const v1::JobSpec& job, const Model& model) {
  switch (TraitsOf(model.prediction_kind()).labels) {
    case LabelKind::kNumber:
      return model.counts() ? LabelMap::Counts() : LabelMap::Regression();
    case LabelKind::kClasses:
      return LabelMap::Classes(model.outputs());
    case LabelKind::kBinary:
      break;
  }
  return BinaryMapOf(LabelListsOf(job.data().label()));
}

BadRowPolicy BadRowPolicyOf(const v1::JobSpec& job) {
  return {job.data().on_bad_row() == "skip", job.data().max_bad_rows()};
}

absl::StatusOr<ScaleRule> ScaleRuleOf(const v1::JobSpec& job) {
  const absl::StatusOr<ScaleRule> rule = ScaleRule::Of(job.data().scale());
  return rule.ok() ? rule : Annotate(rule.status(), "data.scale");
}

absl::StatusOr<Scaler> ScalerOf(const v1::JobSpec& job, const v1::DataFit& fit) {
  ASSIGN_OR_RETURN(const ScaleRule rule, ScaleRuleOf(job));
  if (!rule.fitted()) return Scaler::DivideBy(rule.divisor);
  std::vector<FeatureScale> scales;
  for (const v1::DataFit::Scale& scale : fit.scales()) {
    scales.push_back({scale.key(), scale.offset(), scale.divisor()});
  }
  return Scaler::ByKey(scales);
}

absl::Status CheckSameKeys(const v1::JobSpec& saved, const v1::JobSpec& job) {
  const auto other = [&job](absl::string_view key, const std::string& before,
                            const std::string& now) {
    return absl::FailedPreconditionError(absl::StrCat("start from ", job.train().start_from(),
                                                      ": it was trained with ", key, " ", before,
                                                      ", the job has ", now));
  };
  const auto bits = [](const v1::JobSpec& spec) {
    return spec.data().has_hash_bits() ? absl::StrCat(spec.data().hash_bits()) : "none";
  };
  if (bits(saved) != bits(job)) return other("data.hash_bits", bits(saved), bits(job));
  const auto fields = [](const v1::JobSpec& spec) {
    return absl::StrCat("[", absl::StrJoin(spec.data().fields(), ", "), "]");
  };
  if (ModelNeedsFields(job.model().type()) && fields(saved) != fields(job)) {
    return other("data.fields", fields(saved), fields(job));
  }
  ASSIGN_OR_RETURN(const ScaleRule before, ScaleRuleOf(saved));
  ASSIGN_OR_RETURN(const ScaleRule now, ScaleRuleOf(job));
  if (before == now) return absl::OkStatus();
  const auto shown = [](const v1::JobSpec& spec) {
    return spec.data().scale().empty() ? std::string("none") : spec.data().scale();
  };
  return other("data.scale", shown(saved), shown(job));
}

v1::DataFit ToProto(absl::Span<const FeatureScale> scales) {
  v1::DataFit fit;
  for (const FeatureScale& scale : scales) {
    v1::DataFit::Scale* const out = fit.add_scales();
    out->set_key(scale.key);
    out->set_offset(scale.offset);
    out->set_divisor(scale.divisor);
  }
  return fit;
}

absl::StatusOr<DataSet::Options> DataOptionsOf(const v1::JobSpec& job, LabelMap labels,
                                               const v1::DataFit& fit) {
  DataSet::Options options;
  ASSIGN_OR_RETURN(options.scaler, ScalerOf(job, fit));
  options.labels = std::move(labels);
  options.bad_rows = BadRowPolicyOf(job);
  options.hash_bits = job.data().hash_bits();
  options.fields = ModelNeedsFields(job.model().type());
  for (const auto& [name, weight] : job.data().class_weights()) {
    uint32_t number = 0;
    if (!absl::SimpleAtoi(name, &number) || number >= kMaxClasses) {
      return absl::InvalidArgumentError(
          absl::StrCat("data.class_weights: \"", name, "\" is no class"));
    }
    if (!(weight >= 0 && std::isfinite(weight))) {
      return absl::InvalidArgumentError(absl::StrCat("data.class_weights: ", weight, " of class ",
                                                     name, " is not a finite number from 0 on"));
    }
    if (options.class_weights.size() <= number) options.class_weights.resize(number + 1, 1);
    options.class_weights[number] = weight;
  }
  return options;
}

absl::StatusOr<std::vector<DataFile>> DataFilesOf(
    const v1::DataSpec& data, const google::protobuf::RepeatedPtrField<v1::DataPath>& entries) {
  std::vector<DataFile> files;
  for (const v1::DataPath& entry : entries) {
    ASSIGN_OR_RETURN(std::vector<DataFile> found, ExpandPath(entry.path(), FormatOf(data, entry)));
    for (DataFile& file : found) file.weights = entry.weights();
    files.insert(files.end(), found.begin(), found.end());
  }
  return files;
}

v1::PredictionKind ToProto(PredictionKind kind) {
  switch (kind) {
    case PredictionKind::kBinary:
      return v1::PREDICTION_KIND_BINARY;
    case PredictionKind::kRegression:
      return v1::PREDICTION_KIND_REGRESSION;
    case PredictionKind::kClasses:
      return v1::PREDICTION_KIND_CLASSES;
    case PredictionKind::kMargin:
      return v1::PREDICTION_KIND_MARGIN;
    case PredictionKind::kValue:
      return v1::PREDICTION_KIND_VALUE;
  }
  return v1::PREDICTION_KIND_UNSPECIFIED;
}

v1::DataIndex ToProto(const DataIndex& index) {
  v1::DataIndex proto;
  const DataFile* before = nullptr;
  for (const DataFile& file : index.files) {
    if (before == nullptr || before->format != file.format || before->weights != file.weights) {
      v1::DataPath* entry = proto.add_entries();
      PutFormat(file.format, entry);
      if (!file.weights.empty()) entry->set_weights(file.weights);
    }
    before = &file;
    v1::DataFile* out = proto.add_files();
    out->set_path(file.path);
    out->set_entry(static_cast<uint32_t>(proto.entries_size()) - 1);
  }
  for (const Block& block : index.blocks) {
    v1::Block* out = proto.add_blocks();
    out->set_file(block.file);
    out->set_offset(block.offset);
    out->set_bytes(block.bytes);
    out->set_first_line(block.first_line);
    out->set_rows(block.rows);
    out->set_weight_row(block.weight_row);
  }
  proto.set_rows(index.rows);
  return proto;
}

DataIndex FromProto(const v1::DataIndex& proto) {
  DataIndex index;
  for (const v1::DataFile& file : proto.files()) {
    DataFile out;
    out.path = file.path();
    if (file.entry() < static_cast<uint32_t>(proto.entries_size())) {
      const v1::DataPath& entry = proto.entries(static_cast<int>(file.entry()));
      out.format = FormatOf(v1::DataSpec(), entry);
      out.weights = entry.weights();
    }
    index.files.push_back(std::move(out));
  }
  for (const v1::Block& block : proto.blocks()) {
    index.blocks.push_back({block.file(), block.offset(), block.bytes(), block.first_line(),
                            block.rows(), block.weight_row()});
  }
  index.rows = proto.rows();
  return index;
}

}  // namespace seraph
