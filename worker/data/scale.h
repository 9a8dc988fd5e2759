// SPDX-License-Identifier: Apache-2.0
// Bringing the values of features to one size before a model sees them: what was measured on the
// training data, and what is done with it. docs/DATA_FORMATS.md has the formulas.
#ifndef SERAPH_WORKER_DATA_SCALE_H_
#define SERAPH_WORKER_DATA_SCALE_H_

#include <cstdint>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "absl/strings/string_view.h"
#include "worker/data/batch.h"

namespace seraph {

// The words of a job: none, standard, minmax, or a number.
struct ScaleRule {
  enum class Method { kNone, kStandard, kMinMax, kNumber };
  Method method = Method::kNone;
  double divisor = 1;  // Of kNumber: above 0, finite.

  // Whether the training data must be measured.
  bool fitted() const { return method == Method::kStandard || method == Method::kMinMax; }
  bool operator==(const ScaleRule&) const = default;

  // Empty text: none. INVALID_ARGUMENT: anything else.
  static absl::StatusOr<ScaleRule> Of(absl::string_view text);
};

// Value v of the feature becomes (v - offset) / divisor.
struct FeatureScale {
  uint64_t key;
  double offset;   // Finite; 0 where absent features stay absent.
  double divisor;  // Above 0, finite.
  bool operator==(const FeatureScale&) const = default;
};

// Scales rows. A plain value; thread-safe.
class Scaler {
 public:
  Scaler() = default;  // Leaves them as they are.
  static Scaler DivideBy(double divisor);
  // INVALID_ARGUMENT: a key that stands twice, numbers that cannot be.
  static absl::StatusOr<Scaler> ByKey(absl::Span<const FeatureScale> scales);

  bool idle() const { return divisor_ == 1 && scales_.empty(); }
  bool has_offsets() const { return has_offsets_; }

  // A row of columns as RowFormat::ParseEntries leaves it: its numbers are scaled, zeros too,
  // categories are not. The keys are not hashed yet; scales are found by what they will be with
  // that many bits, or as they are with 0. INVALID_ARGUMENT: more than a float holds comes out.
  absl::Status ScaleColumns(uint32_t hash_bits, Row* row) const;

  // A row of indices in its final form. What comes out as zero is left out. Errors as above.
  // REQUIRES: no offsets.
  absl::Status ScaleRow(Row* row) const;

 private:
  struct Scale {
    double offset, divisor;
  };
  absl::Status ScaleValue(uint64_t key, float* value) const;

  double divisor_ = 1;  // Where there is no scale by key.
  absl::flat_hash_map<uint64_t, Scale> scales_;
  bool has_offsets_ = false;
};

// Measures training data. The result depends on the rows and their order alone. Not thread-safe.
class ScaleFitter {
 public:
  static constexpr size_t kMostKeys = 500'000;

  // `method`: kStandard or kMinMax.
  explicit ScaleFitter(ScaleRule::Method method) : method_(method) {}

  // Rows as Scaler takes them; all of one kind. INVALID_ARGUMENT: more than kMostKeys features.
  absl::Status AddColumns(uint32_t hash_bits, const Row& row);
  absl::Status AddRow(const Row& row);

  // By key, ascending.
  std::vector<FeatureScale> Scales() const;

 private:
  // Of the values that were met, by Welford's method.
  struct Stats {
    uint64_t count = 0;
    double mean = 0;
    double squares = 0;  // Sum of squared differences from the mean.
    double least = 0, largest = 0;
  };

  absl::Status AddValue(uint64_t key, double value);
  FeatureScale ScaleOf(uint64_t key, const Stats& stats) const;

  const ScaleRule::Method method_;
  bool columns_ = false;
  uint64_t rows_ = 0;
  absl::flat_hash_map<uint64_t, Stats> stats_;
};

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_SCALE_H_
