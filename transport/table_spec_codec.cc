// SPDX-License-Identifier: Apache-2.0
#include "transport/table_spec_codec.h"

#include "absl/strings/str_cat.h"
#include "common/status_macros.h"

namespace seraph {
namespace {

v1::InitializerSpec::Type ToProto(InitializerSpec::Type type) {
  switch (type) {
    case InitializerSpec::Type::kConstant:
      return v1::InitializerSpec::CONSTANT;
    case InitializerSpec::Type::kUniform:
      return v1::InitializerSpec::UNIFORM;
    case InitializerSpec::Type::kNormal:
      return v1::InitializerSpec::NORMAL;
  }
  return v1::InitializerSpec::CONSTANT;
}

v1::SyncSpec::Mode ToProto(SyncSpec::Mode mode) {
  switch (mode) {
    case SyncSpec::Mode::kBsp:
      return v1::SyncSpec::BSP;
    case SyncSpec::Mode::kSsp:
      return v1::SyncSpec::SSP;
    case SyncSpec::Mode::kAsp:
      return v1::SyncSpec::ASP;
  }
  return v1::SyncSpec::ASP;
}

absl::Status Unknown(const v1::TableSpec& spec, absl::string_view field, int value) {
  return absl::InvalidArgumentError(absl::StrCat("table \"", spec.name(), "\": ", field, " ", value,
                                                 " is not known to this version"));
}

absl::Status ReadInitializer(const v1::TableSpec& proto, InitializerSpec* spec) {
  switch (proto.initializer().type()) {
    case v1::InitializerSpec::CONSTANT:
      spec->type = InitializerSpec::Type::kConstant;
      break;
    case v1::InitializerSpec::UNIFORM:
      spec->type = InitializerSpec::Type::kUniform;
      break;
    case v1::InitializerSpec::NORMAL:
      spec->type = InitializerSpec::Type::kNormal;
      break;
    default:
      return Unknown(proto, "initializer type", proto.initializer().type());
  }
  spec->value = proto.initializer().value();
  return absl::OkStatus();
}

absl::Status ReadSync(const v1::TableSpec& proto, SyncSpec* spec) {
  switch (proto.sync().mode()) {
    case v1::SyncSpec::BSP:
      spec->mode = SyncSpec::Mode::kBsp;
      break;
    case v1::SyncSpec::SSP:
      spec->mode = SyncSpec::Mode::kSsp;
      break;
    case v1::SyncSpec::ASP:
      spec->mode = SyncSpec::Mode::kAsp;
      break;
    default:
      return Unknown(proto, "sync mode", proto.sync().mode());
  }
  switch (proto.sync().reduce()) {
    case v1::SyncSpec::MEAN:
      spec->reduce = SyncSpec::Reduce::kMean;
      break;
    case v1::SyncSpec::SUM:
      spec->reduce = SyncSpec::Reduce::kSum;
      break;
    default:
      return Unknown(proto, "sync reduce", proto.sync().reduce());
  }
  spec->staleness = proto.sync().staleness();
  return absl::OkStatus();
}

v1::ScheduleSpec::Type ToProto(ScheduleSpec::Type type) {
  switch (type) {
    case ScheduleSpec::Type::kConstant:
      return v1::ScheduleSpec::CONSTANT;
    case ScheduleSpec::Type::kStep:
      return v1::ScheduleSpec::STEP;
    case ScheduleSpec::Type::kInverseTime:
      return v1::ScheduleSpec::INVERSE_TIME;
    case ScheduleSpec::Type::kCosine:
      return v1::ScheduleSpec::COSINE;
  }
  return v1::ScheduleSpec::CONSTANT;
}

void WriteSchedule(const ScheduleSpec& spec, v1::ScheduleSpec* proto) {
  proto->set_type(ToProto(spec.type));
  proto->set_warmup_steps(spec.warmup_steps);
  proto->set_decay_steps(spec.decay_steps);
  proto->set_decay(spec.decay);
  proto->set_min_scale(spec.min_scale);
  proto->set_first_step(spec.first_step);
}

absl::Status ReadSchedule(const v1::TableSpec& proto, ScheduleSpec* spec) {
  if (!proto.optimizer().has_schedule()) return absl::OkStatus();  // Of an earlier version.
  const v1::ScheduleSpec& schedule = proto.optimizer().schedule();
  switch (schedule.type()) {
    case v1::ScheduleSpec::CONSTANT:
      spec->type = ScheduleSpec::Type::kConstant;
      break;
    case v1::ScheduleSpec::STEP:
      spec->type = ScheduleSpec::Type::kStep;
      break;
    case v1::ScheduleSpec::INVERSE_TIME:
      spec->type = ScheduleSpec::Type::kInverseTime;
      break;
    case v1::ScheduleSpec::COSINE:
      spec->type = ScheduleSpec::Type::kCosine;
      break;
    default:
      return Unknown(proto, "schedule type", schedule.type());
  }
  spec->warmup_steps = schedule.warmup_steps();
  spec->decay_steps = schedule.decay_steps();
  spec->decay = schedule.decay();
  spec->min_scale = schedule.min_scale();
  spec->first_step = schedule.first_step();
  return absl::OkStatus();
}

void ReadOptimizer(const v1::OptimizerSpec& proto, OptimizerSpec* spec) {
  spec->type = proto.type();
  spec->learning_rate = proto.learning_rate();
  spec->l1 = proto.l1();
  spec->l2 = proto.l2();
  spec->initial_accumulator = proto.initial_accumulator();
  spec->epsilon = proto.epsilon();
  spec->beta = proto.beta();
  spec->momentum = proto.momentum();
  spec->rho = proto.rho();
  spec->beta1 = proto.beta1();
  spec->beta2 = proto.beta2();
  spec->weight_decay = proto.weight_decay();
}

}  // namespace

v1::TableSpec ToProto(const TableSpec& spec) {
  v1::TableSpec proto;
  proto.set_name(spec.name);
  proto.set_kind(spec.kind == TableKind::kDense ? v1::TableSpec::DENSE : v1::TableSpec::SPARSE);
  proto.set_dim(spec.dim);
  proto.set_rows(spec.rows);
  proto.set_partitions(spec.partitions);
  proto.set_seed(spec.seed);
  proto.mutable_initializer()->set_type(ToProto(spec.initializer.type));
  proto.mutable_initializer()->set_value(spec.initializer.value);
  v1::OptimizerSpec* optimizer = proto.mutable_optimizer();
  optimizer->set_type(spec.optimizer.type);
  optimizer->set_learning_rate(spec.optimizer.learning_rate);
  optimizer->set_l1(spec.optimizer.l1);
  optimizer->set_l2(spec.optimizer.l2);
  optimizer->set_initial_accumulator(spec.optimizer.initial_accumulator);
  optimizer->set_epsilon(spec.optimizer.epsilon);
  optimizer->set_beta(spec.optimizer.beta);
  optimizer->set_momentum(spec.optimizer.momentum);
  optimizer->set_rho(spec.optimizer.rho);
  optimizer->set_beta1(spec.optimizer.beta1);
  optimizer->set_beta2(spec.optimizer.beta2);
  optimizer->set_weight_decay(spec.optimizer.weight_decay);
  WriteSchedule(spec.optimizer.schedule, optimizer->mutable_schedule());
  proto.mutable_sync()->set_mode(ToProto(spec.sync.mode));
  proto.mutable_sync()->set_staleness(spec.sync.staleness);
  proto.mutable_sync()->set_reduce(spec.sync.reduce == SyncSpec::Reduce::kMean ? v1::SyncSpec::MEAN
                                                                               : v1::SyncSpec::SUM);
  return proto;
}

absl::StatusOr<TableSpec> FromProto(const v1::TableSpec& proto) {
  TableSpec spec;
  spec.name = proto.name();
  switch (proto.kind()) {
    case v1::TableSpec::SPARSE:
      spec.kind = TableKind::kSparse;
      break;
    case v1::TableSpec::DENSE:
      spec.kind = TableKind::kDense;
      break;
    default:
      return Unknown(proto, "kind", proto.kind());
  }
  spec.dim = proto.dim();
  spec.rows = proto.rows();
  spec.partitions = proto.partitions();
  spec.seed = proto.seed();
  RETURN_IF_ERROR(ReadInitializer(proto, &spec.initializer));
  ReadOptimizer(proto.optimizer(), &spec.optimizer);
  RETURN_IF_ERROR(ReadSchedule(proto, &spec.optimizer.schedule));
  RETURN_IF_ERROR(ReadSync(proto, &spec.sync));
  RETURN_IF_ERROR(ValidateTableSpec(spec));
  return spec;
}

}  // namespace seraph
