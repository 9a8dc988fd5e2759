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
#include "common/status_macros.h"
#include "common/table_spec.h"
#include "server/optimizer/optimizer.h"
#include "worker/train/job_plan.h"

namespace seraph {
namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

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
  OptimizerSpec spec;
  OverrideOptimizer(*config, &spec);
  return Reword(key, config->type(), NewOptimizer(spec).status());
}

}  // namespace seraph
