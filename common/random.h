// SPDX-License-Identifier: Apache-2.0
// SplitMix64, a small seeded generator whose sequence is the same on every machine (unlike the
// distributions of the standard library).
#ifndef SERAPH_COMMON_RANDOM_H_
#define SERAPH_COMMON_RANDOM_H_

#include <cstddef>
#include <cstdint>
#include <utility>

#include "absl/types/span.h"
#include "common/hash.h"

namespace seraph {

// Not thread-safe; copies continue the same sequence.
class SplitMix64 {
 public:
  explicit SplitMix64(uint64_t seed) : state_(seed) {}

  uint64_t Next() {
    state_ += 0x9e3779b97f4a7c15ULL;
    return Mix64(state_);
  }
  double NextUnit() { return ToUnit(Next()); }  // [0, 1)
  // Uniform in 0..n-1 up to a bias of n / 2^64. n > 0.
  uint64_t NextBelow(uint64_t n) {
    return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * n) >> 64);
  }

  // Fisher-Yates, from the last place down.
  template <typename T>
  void Shuffle(absl::Span<T> items) {
    for (size_t i = items.size(); i > 1; --i) std::swap(items[i - 1], items[NextBelow(i)]);
  }

 private:
  uint64_t state_;
};

}  // namespace seraph

#endif  // SERAPH_COMMON_RANDOM_H_
