// SPDX-License-Identifier: Apache-2.0
#include "common/table_spec.h"

#include <cmath>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"

namespace seraph {
namespace {

constexpr uint32_t kMaxDim = 4096;
constexpr uint32_t kMaxPartitions = 65536;
constexpr size_t kMaxNameBytes = 200;

absl::Status Wrong(const TableSpec& spec, absl::string_view what) {
  return absl::InvalidArgumentError(absl::StrCat("table \"", spec.name, "\": ", what));
}

bool IsTableName(const std::string& name) {
  if (name.empty() || name.size() > kMaxNameBytes || name.front() == '/' || name.back() == '/')
    return false;
  if (name.find("..") != std::string::npos || name.find("//") != std::string::npos) return false;
  for (const char c : name) {
    const bool fine = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '/' ||
                      c == '.' || c == '-';
    if (!fine) return false;
  }
  return true;
}

const char* ModeName(SyncSpec::Mode mode) {
  switch (mode) {
    case SyncSpec::Mode::kBsp:
      return "bsp";
    case SyncSpec::Mode::kSsp:
      return "ssp";
    case SyncSpec::Mode::kAsp:
      return "asp";
  }
  return "?";
}

}  // namespace

absl::Status ValidateTableSpec(const TableSpec& spec) {
  if (!IsTableName(spec.name)) {
    return Wrong(spec, "the name must be 1..200 characters of a-z, 0-9, '_', '/', '.' and '-'");
  }
  if (spec.dim < 1 || spec.dim > kMaxDim)
    return Wrong(spec, absl::StrCat("dim ", spec.dim, " is not in 1..", kMaxDim));
  if (spec.partitions < 1 || spec.partitions > kMaxPartitions ||
      (spec.partitions & (spec.partitions - 1)) != 0) {
    return Wrong(spec, absl::StrCat("partitions ", spec.partitions, " is not a power of two in 1..",
                                    kMaxPartitions));
  }
  if (spec.kind == TableKind::kDense && spec.rows < 1)
    return Wrong(spec, "a dense table needs rows >= 1");
  if (spec.kind == TableKind::kSparse && spec.rows != 0) {
    return Wrong(spec, absl::StrCat("a sparse table has no fixed rows, but rows is ", spec.rows));
  }
  if (!std::isfinite(spec.initializer.value))
    return Wrong(spec, "the initializer's value is not finite");
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
  note("sync mode", ModeName(existing.sync.mode), ModeName(asked.sync.mode));
  note("staleness", existing.sync.staleness, asked.sync.staleness);
  note("reduce", existing.sync.reduce == SyncSpec::Reduce::kMean ? "mean" : "sum",
       asked.sync.reduce == SyncSpec::Reduce::kMean ? "mean" : "sum");
  if (parts.empty()) return "";
  return absl::StrCat("table ", existing.name, ": ", absl::StrJoin(parts, "; "));
}

}  // namespace seraph
