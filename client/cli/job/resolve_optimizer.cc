// SPDX-License-Identifier: Apache-2.0
#include "client/cli/job/resolve_optimizer.h"

#include <google/protobuf/descriptor.h>

#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_split.h"
#include "absl/strings/string_view.h"
#include "absl/strings/strip.h"
#include "client/cli/job/choice.h"
#include "common/hint.h"
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

constexpr double kDefaultDecay = 0.1;

// The defaults of an optimizer as the job file writes them.
v1::OptimizerConfig DefaultsOf(const std::string& type) {
  const OptimizerSpec spec = OptimizerDefaults(type);
  v1::OptimizerConfig config;
  config.set_learning_rate(spec.learning_rate);
  config.set_l1(spec.l1);
  config.set_l2(spec.l2);
  config.set_initial_accumulator(spec.initial_accumulator);
  config.set_epsilon(spec.epsilon);
  config.set_beta(spec.beta);
  config.set_momentum(spec.momentum);
  config.set_rho(spec.rho);
  config.set_beta1(spec.beta1);
  config.set_beta2(spec.beta2);
  config.set_weight_decay(spec.weight_decay);
  return config;
}

// "optimizer sgd: l2 -1 is not ..." in the words of job files: "optimizer.l2: -1 is not ...".
absl::Status Reword(const std::string& key, const std::string& type, const absl::Status& status) {
  if (status.ok()) return status;
  absl::string_view what(status.message().data(), status.message().size());
  absl::ConsumePrefix(&what, absl::StrCat("optimizer ", type, ": "));
  const std::pair<absl::string_view, absl::string_view> parts =
      absl::StrSplit(what, absl::MaxSplits(' ', 1));
  const std::string name(parts.first);
  const bool parameter = v1::OptimizerConfig::descriptor()->FindFieldByName(name) != nullptr;
  return absl::InvalidArgumentError(parameter ? absl::StrCat(key, ".", name, ": ", parts.second)
                                              : absl::StrCat(key, ": ", what));
}

// What a schedule's type takes beside warmup_steps.
struct ScheduleKeys {
  bool decay_steps;
  bool decay;
  bool min_scale;
};
ScheduleKeys KeysOf(ScheduleSpec::Type type) {
  const bool decays = type != ScheduleSpec::Type::kConstant;
  return {decays, type == ScheduleSpec::Type::kStep, decays};
}

absl::Status ResolveSchedule(const std::string& key, v1::ScheduleConfig* schedule) {
  if (schedule->type().empty()) schedule->set_type("constant");
  RETURN_IF_ERROR(CheckChoice(key + ".type", schedule->type(), ScheduleTypeNames(), {}));
  ASSIGN_OR_RETURN(const ScheduleSpec::Type type, ScheduleTypeOf(schedule->type()));
  const ScheduleKeys keys = KeysOf(type);
  const auto foreign = [&](absl::string_view name) {
    return absl::InvalidArgumentError(
        absl::StrCat(key, ".", name, ": a schedule of type ", schedule->type(), " has none"));
  };
  if (schedule->has_decay_steps() && !keys.decay_steps) return foreign("decay_steps");
  if (schedule->has_decay() && !keys.decay) return foreign("decay");
  if (schedule->has_min_scale() && !keys.min_scale) return foreign("min_scale");
  if (keys.decay_steps && schedule->decay_steps() == 0) {
    return WithHint(
        absl::InvalidArgumentError(absl::StrCat(
            key, ".decay_steps: ", schedule->has_decay_steps() ? "0 is not above 0" : "missing")),
        absl::StrCat("an epoch has rows / train.batch_size steps: say schedule: {type: ",
                     schedule->type(), ", decay_steps: N}"));
  }
  if (!schedule->has_warmup_steps()) schedule->set_warmup_steps(0);
  if (keys.decay && !schedule->has_decay()) schedule->set_decay(kDefaultDecay);
  if (keys.min_scale && !schedule->has_min_scale()) schedule->set_min_scale(0);
  if (keys.decay && !(schedule->decay() > 0 && schedule->decay() <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat(key, ".decay: ", schedule->decay(), " is not in (0, 1]"));
  }
  if (keys.min_scale && !(schedule->min_scale() >= 0 && schedule->min_scale() <= 1)) {
    return absl::InvalidArgumentError(
        absl::StrCat(key, ".min_scale: ", schedule->min_scale(), " is not in 0..1"));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status ResolveOptimizer(const std::string& key, const v1::OptimizerConfig& defaults,
                              v1::OptimizerConfig* config) {
  if (config->type().empty()) config->set_type(defaults.type());
  RETURN_IF_ERROR(CheckChoice(key + ".type", config->type(), OptimizerNames(), {}));

  const bool same_type = config->type() == defaults.type();
  const v1::OptimizerConfig general = DefaultsOf(config->type());
  const auto* reflection = config->GetReflection();
  const Descriptor* type = config->GetDescriptor();
  for (int i = 0; i < type->field_count(); ++i) {
    const FieldDescriptor* field = type->field(i);
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_DOUBLE) continue;
    const bool has = OptimizerHasParameter(config->type(), field->name());
    if (reflection->HasField(*config, field)) {
      if (has) continue;
      return absl::InvalidArgumentError(
          absl::StrCat(key, ".", field->name(), ": ", config->type(), " has no such parameter"));
    }
    if (!has) continue;
    const bool from_model = same_type && reflection->HasField(defaults, field);
    reflection->SetDouble(config, field,
                          reflection->GetDouble(from_model ? defaults : general, field));
  }
  if (!config->has_schedule() && same_type && defaults.has_schedule()) {
    *config->mutable_schedule() = defaults.schedule();
  }
  RETURN_IF_ERROR(ResolveSchedule(key + ".schedule", config->mutable_schedule()));
  OptimizerSpec spec;
  RETURN_IF_ERROR(OverrideOptimizer(*config, &spec));
  return Reword(key, config->type(), NewOptimizer(spec).status());
}

}  // namespace seraph
