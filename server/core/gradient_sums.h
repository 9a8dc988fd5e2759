// SPDX-License-Identifier: Apache-2.0
// Rows by key, summed or overwritten in a fixed order: what pushes are brought into before they
// reach a store, whose writes want distinct keys.
#ifndef SERAPH_SERVER_CORE_GRADIENT_SUMS_H_
#define SERAPH_SERVER_CORE_GRADIENT_SUMS_H_

#include <cstdint>
#include <string>
#include <vector>

#include "absl/container/flat_hash_map.h"
#include "absl/status/status.h"
#include "absl/types/span.h"

namespace seraph {

// INVALID_ARGUMENT naming table and key of the first row [keys.size(), dim] with a NaN or Inf.
absl::Status CheckFinite(const std::string& table, absl::Span<const uint64_t> keys,
                         absl::Span<const float> values);

// Whether some key stands twice.
bool HasRepeats(absl::Span<const uint64_t> keys);

// What sums of so many distinct keys count of the memory: key, values, and 32 bytes of index. No
// push takes more while it is parked.
inline int64_t SumBytes(size_t keys, uint32_t dim) {
  constexpr size_t kIndexBytes = 32;
  return static_cast<int64_t>(keys *
                              (sizeof(uint64_t) + kIndexBytes + size_t{dim} * sizeof(float)));
}

// Not thread-safe. Keys stay in the order in which they first came; any u64 is a key.
class GradientSums {
 public:
  explicit GradientSums(uint32_t dim) : dim_(dim) {}

  // Adds one push, `values` [keys.size(), dim]. Repeated keys are summed among themselves first, so
  // that the push has exactly the effect of one that carries their sum.
  void Add(absl::Span<const uint64_t> keys, absl::Span<const float> values);

  // Replaces rows; of repeated keys the last holds.
  void Overwrite(absl::Span<const uint64_t> keys, absl::Span<const float> values);

  // Every value becomes the nearest float to its quotient. `divisor` > 0.
  void Divide(double divisor);

  bool empty() const { return keys_.empty(); }
  int64_t bytes() const { return SumBytes(keys_.size(), dim_); }
  absl::Span<const uint64_t> keys() const { return keys_; }   // Distinct.
  absl::Span<const float> values() const { return values_; }  // [keys, dim]

 private:
  // The places of keys in `values_`, made (zero) where missing.
  std::vector<size_t> Places(absl::Span<const uint64_t> keys);
  void AddRows(absl::Span<const size_t> places, absl::Span<const float> values);

  const uint32_t dim_;
  absl::flat_hash_map<uint64_t, size_t> index_;
  std::vector<uint64_t> keys_;
  std::vector<float> values_;
};

}  // namespace seraph

#endif  // SERAPH_SERVER_CORE_GRADIENT_SUMS_H_
