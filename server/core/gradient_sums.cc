// SPDX-License-Identifier: Apache-2.0
#include "server/core/gradient_sums.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include "absl/container/flat_hash_set.h"
#include "absl/strings/str_cat.h"

namespace seraph {

absl::Status CheckFinite(const std::string& table, absl::Span<const uint64_t> keys,
                         absl::Span<const float> values) {
  const auto bad =
      std::find_if(values.begin(), values.end(), [](float v) { return !std::isfinite(v); });
  if (bad == values.end()) return absl::OkStatus();
  const size_t dim = values.size() / keys.size();
  const auto place = static_cast<size_t>(bad - values.begin());
  return absl::InvalidArgumentError(absl::StrCat("push to table ", table, ": value ", place % dim,
                                                 " of key ", keys[place / dim], " is ", *bad));
}

bool HasRepeats(absl::Span<const uint64_t> keys) {
  // Clients often send ascending keys, and then one look at each is enough.
  if (std::adjacent_find(keys.begin(), keys.end(), std::greater_equal<>()) == keys.end()) {
    return false;
  }
  absl::flat_hash_set<uint64_t> seen;
  seen.reserve(keys.size());
  return !std::all_of(keys.begin(), keys.end(),
                      [&seen](uint64_t key) { return seen.insert(key).second; });
}

std::vector<size_t> GradientSums::Places(absl::Span<const uint64_t> keys) {
  std::vector<size_t> places;
  places.reserve(keys.size());
  for (const uint64_t key : keys) {
    const auto [it, fresh] = index_.try_emplace(key, keys_.size());
    if (fresh) keys_.push_back(key);
    places.push_back(it->second);
  }
  values_.resize(keys_.size() * dim_);
  return places;
}

void GradientSums::AddRows(absl::Span<const size_t> places, absl::Span<const float> values) {
  for (size_t i = 0; i < places.size(); ++i) {
    float* const to = &values_[places[i] * dim_];
    const float* const from = &values[i * dim_];
    for (uint32_t d = 0; d < dim_; ++d) to[d] += from[d];
  }
}

void GradientSums::Add(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  if (empty()) {  // Then summing here and summing apart are the same.
    const std::vector<size_t> places = Places(keys);
    return AddRows(places, values);
  }
  if (!HasRepeats(keys)) {
    const std::vector<size_t> places = Places(keys);
    return AddRows(places, values);
  }
  GradientSums push(dim_);
  push.Add(keys, values);
  const std::vector<size_t> places = Places(push.keys());
  AddRows(places, push.values());
}

void GradientSums::Overwrite(absl::Span<const uint64_t> keys, absl::Span<const float> values) {
  const std::vector<size_t> places = Places(keys);
  for (size_t i = 0; i < places.size(); ++i) {
    std::copy_n(&values[i * dim_], dim_, &values_[places[i] * dim_]);
  }
}

void GradientSums::Divide(double divisor) {
  for (float& value : values_) value = static_cast<float>(static_cast<double>(value) / divisor);
}

}  // namespace seraph
