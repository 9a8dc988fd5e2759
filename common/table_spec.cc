// SPDX-License-Identifier: Apache-2.0
#include "common/table_spec.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "absl/strings/match.h"
#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "absl/strings/str_split.h"
#include "absl/types/span.h"

namespace seraph {
namespace {

absl::Status Wrong(const TableSpec& spec, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("table \"", spec.name, "\": ", what));
}

// Whether every value that the initializer can give is finite as a float. A NaN fails each
// comparison.
bool IsFinite(const InitializerSpec& spec) {
  // Of its standard deviation, a normal value is at most six (server/table/initializer.h).
  const double largest = spec.type == InitializerSpec::Type::kNormal ? 6 * spec.value : spec.value;
  return std::abs(largest) <= std::numeric_limits<float>::max();
}

template <typename Value>
struct Named {
  Value value;
  absl::string_view name;
};

// Sorted by name.
constexpr Named<SyncSpec::Mode> kModes[] = {
    {SyncSpec::Mode::kAsp, "asp"},
    {SyncSpec::Mode::kBsp, "bsp"},
    {SyncSpec::Mode::kSsp, "ssp"},
};
constexpr Named<SyncSpec::Reduce> kReductions[] = {
    {SyncSpec::Reduce::kMean, "mean"},
    {SyncSpec::Reduce::kSum, "sum"},
};
constexpr Named<ScheduleSpec::Type> kSchedules[] = {
    {ScheduleSpec::Type::kConstant, "constant"},
    {ScheduleSpec::Type::kCosine, "cosine"},
    {ScheduleSpec::Type::kInverseTime, "inverse_time"},
    {ScheduleSpec::Type::kStep, "step"},
};

template <typename Value>
absl::string_view NameIn(absl::Span<const Named<Value>> table, Value value) {
  for (const Named<Value>& entry : table) {
    if (entry.value == value) return entry.name;
  }
  return "?";
}

template <typename Value>
std::vector<std::string> NamesOf(absl::Span<const Named<Value>> table) {
  std::vector<std::string> names;
  for (const Named<Value>& entry : table) names.emplace_back(entry.name);
  return names;
}

template <typename Value>
absl::StatusOr<Value> ValueIn(absl::Span<const Named<Value>> table, absl::string_view name) {
  for (const Named<Value>& entry : table) {
    if (entry.name == name) return entry.value;
  }
  return absl::InvalidArgumentError(
      absl::StrCat("\"", name, "\" is none of ", absl::StrJoin(NamesOf(table), ", ")));
}

}  // namespace

bool IsTableName(absl::string_view name) {
  if (name.empty() || name.size() > kMaxNameBytes) return false;
  for (const absl::string_view word : absl::StrSplit(name, '/')) {
    if (word.empty() || word == "." || absl::StrContains(word, "..")) return false;
  }
  return std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/' || c == '.' ||
           c == '-';
  });
}

absl::string_view SyncModeName(SyncSpec::Mode mode) {
  return NameIn(absl::MakeConstSpan(kModes), mode);
}
absl::StatusOr<SyncSpec::Mode> SyncModeOf(absl::string_view name) {
  return ValueIn(absl::MakeConstSpan(kModes), name);
}
std::vector<std::string> SyncModeNames() { return NamesOf(absl::MakeConstSpan(kModes)); }

absl::string_view ReduceName(SyncSpec::Reduce reduce) {
  return NameIn(absl::MakeConstSpan(kReductions), reduce);
}
absl::StatusOr<SyncSpec::Reduce> ReduceOf(absl::string_view name) {
  return ValueIn(absl::MakeConstSpan(kReductions), name);
}
std::vector<std::string> ReduceNames() { return NamesOf(absl::MakeConstSpan(kReductions)); }

absl::string_view ScheduleTypeName(ScheduleSpec::Type type) {
  return NameIn(absl::MakeConstSpan(kSchedules), type);
}
absl::StatusOr<ScheduleSpec::Type> ScheduleTypeOf(absl::string_view name) {
  return ValueIn(absl::MakeConstSpan(kSchedules), name);
}
std::vector<std::string> ScheduleTypeNames() { return NamesOf(absl::MakeConstSpan(kSchedules)); }

bool HasJointSteps(SyncSpec::Mode mode) { return mode == SyncSpec::Mode::kBsp; }

absl::Status ValidateTableSpec(const TableSpec& spec) {
  if (!IsTableName(spec.name)) {
    return Wrong(spec, absl::StrCat("the name must be 1..", kMaxNameBytes,
                                    " characters of a-z, 0-9, '_', '/', '.' and '-'"));
  }
  if (spec.dim < 1 || spec.dim > kMaxTableDim)
    return Wrong(spec, absl::StrCat("dim ", spec.dim, " is not in 1..", kMaxTableDim));
  if (spec.partitions < 1 || spec.partitions > kMaxTablePartitions ||
      (spec.partitions & (spec.partitions - 1)) != 0) {
    return Wrong(spec, absl::StrCat("partitions ", spec.partitions, " is not a power of two in 1..",
                                    kMaxTablePartitions));
  }
  if (spec.kind == TableKind::kDense && spec.rows < 1)
    return Wrong(spec, "a dense table needs rows >= 1");
  if (spec.kind == TableKind::kSparse && spec.rows != 0) {
    return Wrong(spec, absl::StrCat("a sparse table has no fixed rows, but rows is ", spec.rows));
  }
  if (!IsFinite(spec.initializer)) {
    return Wrong(spec, absl::StrCat("initializer value ", spec.initializer.value,
                                    " gives rows that are not finite as floats"));
  }
  if (spec.sync.staleness < 0)
    return Wrong(spec, absl::StrCat("staleness ", spec.sync.staleness, " is negative"));
  return absl::OkStatus();
}

std::string DescribeDifference(const TableSpec& existing, const TableSpec& asked) {
  std::vector<std::string> parts;
  const auto note = [&parts](absl::string_view field, const auto& is, const auto& want) {
    if (is != want) parts.push_back(absl::StrCat(field, " is ", is, ", asked for ", want));
  };
  note("kind", existing.kind == TableKind::kDense ? "dense" : "sparse",
       asked.kind == TableKind::kDense ? "dense" : "sparse");
  note("dim", existing.dim, asked.dim);
  note("rows", existing.rows, asked.rows);
  note("partitions", existing.partitions, asked.partitions);
  note("seed", existing.seed, asked.seed);
  note("initializer type", static_cast<int>(existing.initializer.type),
       static_cast<int>(asked.initializer.type));
  note("initializer value", existing.initializer.value, asked.initializer.value);
  const OptimizerSpec &a = existing.optimizer, &b = asked.optimizer;
  note("optimizer", a.type, b.type);
  note("learning_rate", a.learning_rate, b.learning_rate);
  note("l1", a.l1, b.l1);
  note("l2", a.l2, b.l2);
  note("initial_accumulator", a.initial_accumulator, b.initial_accumulator);
  note("epsilon", a.epsilon, b.epsilon);
  note("beta", a.beta, b.beta);
  note("momentum", a.momentum, b.momentum);
  note("rho", a.rho, b.rho);
  note("beta1", a.beta1, b.beta1);
  note("beta2", a.beta2, b.beta2);
  note("weight_decay", a.weight_decay, b.weight_decay);
  note("schedule", ScheduleTypeName(a.schedule.type), ScheduleTypeName(b.schedule.type));
  note("warmup_steps", a.schedule.warmup_steps, b.schedule.warmup_steps);
  note("decay_steps", a.schedule.decay_steps, b.schedule.decay_steps);
  note("decay", a.schedule.decay, b.schedule.decay);
  note("min_scale", a.schedule.min_scale, b.schedule.min_scale);
  note("first step", a.schedule.first_step, b.schedule.first_step);
  note("sync mode", SyncModeName(existing.sync.mode), SyncModeName(asked.sync.mode));
  note("staleness", existing.sync.staleness, asked.sync.staleness);
  note("reduce", ReduceName(existing.sync.reduce), ReduceName(asked.sync.reduce));
  if (parts.empty()) return "";
  return absl::StrCat("table ", existing.name, ": ", absl::StrJoin(parts, "; "));
}

}  // namespace seraph
