// SPDX-License-Identifier: Apache-2.0
#include "worker/data/scale.h"

#include <algorithm>
#include <cmath>

#include "absl/strings/numbers.h"
#include "absl/strings/str_cat.h"
#include "common/status_macros.h"
#include "worker/data/category_key.h"
#include "worker/data/row_text.h"

namespace seraph {
namespace {

using Method = ScaleRule::Method;

uint64_t FinalKey(uint64_t key, uint32_t hash_bits) {
  return hash_bits > 0 ? HashedKey(key, hash_bits) : key;
}

bool IsDivisor(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

absl::StatusOr<ScaleRule> ScaleRule::Of(absl::string_view text) {
  if (text.empty() || text == "none") return ScaleRule();
  if (text == "standard") return ScaleRule{.method = Method::kStandard};
  if (text == "minmax") return ScaleRule{.method = Method::kMinMax};
  // The rules of numbers in data, but in double.
  float rounded = 0;
  double number = 0;
  if (ParseFloat("scale", text, &rounded).ok() && absl::SimpleAtod(text, &number) &&
      IsDivisor(number)) {
    return ScaleRule{.method = Method::kNumber, .divisor = number};
  }
  return absl::InvalidArgumentError(
      absl::StrCat(Excerpt(text), " is not none, standard, minmax or a number above 0"));
}

Scaler Scaler::DivideBy(double divisor) {
  Scaler scaler;
  scaler.divisor_ = divisor;
  return scaler;
}

absl::StatusOr<Scaler> Scaler::ByKey(absl::Span<const FeatureScale> scales) {
  Scaler scaler;
  scaler.scales_.reserve(scales.size());
  for (const FeatureScale& scale : scales) {
    if (!std::isfinite(scale.offset) || !IsDivisor(scale.divisor)) {
      return absl::InvalidArgumentError(absl::StrCat("scale of key ", scale.key, ": offset ",
                                                     scale.offset, ", divisor ", scale.divisor));
    }
    if (!scaler.scales_.try_emplace(scale.key, Scale{scale.offset, scale.divisor}).second) {
      return absl::InvalidArgumentError(absl::StrCat("scale of key ", scale.key, " stands twice"));
    }
    scaler.has_offsets_ |= scale.offset != 0;
  }
  return scaler;
}

absl::Status Scaler::ScaleValue(uint64_t key, float* value) const {
  Scale scale{.offset = 0, .divisor = divisor_};
  if (!scales_.empty()) {
    const auto found = scales_.find(key);
    if (found == scales_.end()) return absl::OkStatus();
    scale = found->second;
  }
  *value = static_cast<float>((static_cast<double>(*value) - scale.offset) / scale.divisor);
  if (std::isfinite(*value)) return absl::OkStatus();
  return absl::InvalidArgumentError(
      absl::StrCat("the scaled value of key ", key, " is more than a 32-bit float holds"));
}

absl::Status Scaler::ScaleColumns(uint32_t hash_bits, Row* row) const {
  if (idle()) return absl::OkStatus();
  for (size_t i = 0; i < row->keys.size(); ++i) {
    if (IsCategoryKey(row->keys[i])) continue;
    RETURN_IF_ERROR(ScaleValue(FinalKey(row->keys[i], hash_bits), &row->values[i]));
  }
  return absl::OkStatus();
}

absl::Status Scaler::ScaleRow(Row* row) const {
  if (idle()) return absl::OkStatus();
  bool any_zero = false;
  for (size_t i = 0; i < row->keys.size(); ++i) {
    RETURN_IF_ERROR(ScaleValue(row->keys[i], &row->values[i]));
    any_zero |= row->values[i] == 0;
  }
  return any_zero ? NormaliseRow("key", 0, row) : absl::OkStatus();
}

absl::Status ScaleFitter::AddColumns(uint32_t hash_bits, const Row& row) {
  columns_ = true;
  ++rows_;
  for (size_t i = 0; i < row.keys.size(); ++i) {
    if (IsCategoryKey(row.keys[i])) continue;
    RETURN_IF_ERROR(AddValue(FinalKey(row.keys[i], hash_bits), row.values[i]));
  }
  return absl::OkStatus();
}

absl::Status ScaleFitter::AddRow(const Row& row) {
  ++rows_;
  for (size_t i = 0; i < row.keys.size(); ++i) {
    RETURN_IF_ERROR(AddValue(row.keys[i], row.values[i]));
  }
  return absl::OkStatus();
}

absl::Status ScaleFitter::AddValue(uint64_t key, double value) {
  const auto [it, is_new] = stats_.try_emplace(key);
  if (is_new && stats_.size() > kMostKeys) {
    return absl::InvalidArgumentError(
        absl::StrCat("the training data has more than ", kMostKeys,
                     " features to scale: state data.hash_bits, or a number as data.scale"));
  }
  Stats& stats = it->second;
  ++stats.count;
  const double difference = value - stats.mean;
  stats.mean += difference / static_cast<double>(stats.count);
  stats.squares += difference * (value - stats.mean);
  stats.least = is_new ? value : std::min(stats.least, value);
  stats.largest = is_new ? value : std::max(stats.largest, value);
  return absl::OkStatus();
}

FeatureScale ScaleFitter::ScaleOf(uint64_t key, const Stats& stats) const {
  const double count = static_cast<double>(stats.count);
  FeatureScale scale{.key = key, .offset = 0, .divisor = 1};
  double spread = 0;
  if (method_ == Method::kMinMax) {
    if (columns_) scale.offset = stats.least;
    spread = columns_ ? stats.largest - stats.least : std::max(-stats.least, stats.largest);
  } else if (columns_) {
    scale.offset = stats.mean;
    spread = std::sqrt(stats.squares / count);
  } else {
    // The rows that do not have the feature are zeros: two groups' squares joined.
    const double rows = static_cast<double>(std::max(rows_, stats.count));
    const double squares =
        stats.squares + stats.mean * stats.mean * count * ((rows - count) / rows);
    spread = std::sqrt(squares / rows);
  }
  if (IsDivisor(spread)) scale.divisor = spread;
  return scale;
}

std::vector<FeatureScale> ScaleFitter::Scales() const {
  std::vector<FeatureScale> scales;
  scales.reserve(stats_.size());
  for (const auto& [key, stats] : stats_) scales.push_back(ScaleOf(key, stats));
  std::sort(scales.begin(), scales.end(),
            [](const FeatureScale& a, const FeatureScale& b) { return a.key < b.key; });
  return scales;
}

}  // namespace seraph
