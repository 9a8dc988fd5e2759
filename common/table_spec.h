// SPDX-License-Identifier: Apache-2.0
// What a table is: the plain structs that clients, servers and files share. Protobuf twins:
// proto/table.proto.
#ifndef SERAPH_COMMON_TABLE_SPEC_H_
#define SERAPH_COMMON_TABLE_SPEC_H_

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"

namespace seraph {

// Limits of tables and of the groups that use them, the same in every process.
inline constexpr uint32_t kMaxTableDim = 4096;
inline constexpr uint32_t kMaxTablePartitions = 65536;
inline constexpr size_t kMaxNameBytes = 200;       // Of a table, of a group.
inline constexpr uint32_t kMaxGroupWorkers = 256;  // Each takes memory in every partition's round.
inline constexpr uint32_t kMaxGroupServers = 256;

enum class TableKind { kDense, kSparse };

// The value of a row that no push has touched: a pure function of (seed, key, column), see
// server/table/initializer.h.
struct InitializerSpec {
  enum class Type { kConstant, kUniform, kNormal };
  Type type = Type::kConstant;
  double value = 0;  // kConstant: the value. kUniform: half width of [-value, value). kNormal:
                     // standard deviation.
  bool operator==(const InitializerSpec&) const = default;
};

// How the learning rate moves with the step: what it is times at step t
// (server/optimizer/schedule.h has the formulas).
struct ScheduleSpec {
  enum class Type { kConstant, kStep, kInverseTime, kCosine };
  Type type = Type::kConstant;
  uint64_t warmup_steps = 0;  // The first so many steps rise linearly to the full rate.
  uint64_t decay_steps = 0;   // kStep, kInverseTime, kCosine: at least 1.
  double decay = 1;           // kStep: factor at each decay, in (0, 1].
  double min_scale = 0;       // No scale is below it but in the warm-up; in [0, 1].
  uint64_t first_step = 0;  // Steps that were taken before the table's clock began: t = first_step
                            // + clock.
  bool operator==(const ScheduleSpec&) const = default;

  // Whether every step has the full rate.
  bool constant() const { return type == Type::kConstant && warmup_steps == 0; }
};

// Which optimizer a table's gradients go through, by registry name, and its parameters. A parameter
// that an optimizer does not have is ignored by it.
struct OptimizerSpec {
  std::string type = "sgd";
  double learning_rate = 0.1;
  double l1 = 0;  // L1 |w| in the objective; acts on a row when the row is touched.
  double l2 = 0;  // L2/2 |w|^2 in the objective; acts on a row when the row is touched.
  double initial_accumulator = 0;  // adagrad, ftrl: the squared-gradient sum of a fresh row.
  double epsilon = 1e-10;          // adagrad: added to the root.
  double beta = 1;                 // ftrl: smoothing of the per-coordinate rate.
  double momentum = 0.9;           // momentum: share of the velocity that a step keeps.
  double rho = 0.9;                // rmsprop: share of the mean square that a step keeps.
  double beta1 = 0.9;              // adam, adamw: share of the first moment that a step keeps.
  double beta2 = 0.999;            // adam, adamw: the same of the second.
  double weight_decay = 0.01;      // adamw: share of a weight, times the rate, that a touch takes.
  ScheduleSpec schedule{};
  bool operator==(const OptimizerSpec&) const = default;
};

// When pushes apply and how long pulls wait (docs/CONSISTENCY.md).
struct SyncSpec {
  enum class Mode { kBsp, kSsp, kAsp };
  enum class Reduce {
    kMean,
    kSum
  };  // BSP: divide the folded gradient by the round's rows, or not.
  Mode mode = Mode::kAsp;
  int64_t staleness = 0;  // SSP only: steps a worker may be ahead of the slowest.
  Reduce reduce = Reduce::kMean;
  bool operator==(const SyncSpec&) const = default;
};

struct TableSpec {
  std::string
      name;  // [a-z0-9_/.-]+, unique in its group; "shared/NAME" is seen by the whole cluster.
  TableKind kind = TableKind::kSparse;
  uint32_t dim = 1;           // Floats per row, 1..kMaxTableDim.
  uint64_t rows = 0;          // Dense: row ids are 0..rows-1, at least 1. Sparse: 0.
  uint32_t partitions = 256;  // A power of two, 1..kMaxTablePartitions; fixed at creation.
  uint64_t seed = 0;          // Of initial values.
  InitializerSpec initializer;
  OptimizerSpec optimizer;
  SyncSpec sync;
  bool operator==(const TableSpec&) const = default;
};

// 1..kMaxNameBytes characters of a-z, 0-9, '_', '/', '.' and '-': words with single slashes between
// them, none of which is "." or has ".." in it, so that it can be the name of a folder.
bool IsTableName(absl::string_view name);

// Modes and reductions by the names that job files and messages to people have for them; the names
// are sorted. INVALID_ARGUMENT for another name lists them.
absl::string_view SyncModeName(SyncSpec::Mode mode);
absl::StatusOr<SyncSpec::Mode> SyncModeOf(absl::string_view name);
std::vector<std::string> SyncModeNames();
absl::string_view ReduceName(SyncSpec::Reduce reduce);
absl::StatusOr<SyncSpec::Reduce> ReduceOf(absl::string_view name);
std::vector<std::string> ReduceNames();

// The same for schedules.
absl::string_view ScheduleTypeName(ScheduleSpec::Type type);
absl::StatusOr<ScheduleSpec::Type> ScheduleTypeOf(absl::string_view name);
std::vector<std::string> ScheduleTypeNames();

// Whether all ranks take the same steps, each a slice of joint batches that the seed deals. In
// other modes ranks lease rows from the scheduler, each at its own pace.
bool HasJointSteps(SyncSpec::Mode mode);

// INVALID_ARGUMENT naming table, field and value when a limit above is broken, or when the
// initializer's values are not finite as floats. Whether the optimizer's name, parameters and
// schedule are right is the optimizer registry's to say.
absl::Status ValidateTableSpec(const TableSpec& spec);

// "table weights: dim is 8, asked for 4; ..." for every field that differs; empty when none does.
std::string DescribeDifference(const TableSpec& existing, const TableSpec& asked);

}  // namespace seraph

#endif  // SERAPH_COMMON_TABLE_SPEC_H_
