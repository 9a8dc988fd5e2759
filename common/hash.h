// SPDX-License-Identifier: Apache-2.0
// Integer mixing for keys, seeds and partitions. These functions are part of the file format and of
// every reproducible result: changing one changes which partition a key lives in and every initial
// value.
#ifndef SERAPH_COMMON_HASH_H_
#define SERAPH_COMMON_HASH_H_

#include <cstdint>

namespace seraph {

// The finaliser of SplitMix64 (Steele, Lea, Flood 2014, "Fast splittable pseudorandom number
// generators"): a bijection of u64 in which every input bit changes each output bit with
// probability near one half.
constexpr uint64_t Mix64(uint64_t x) {
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// Mixes a second word in; not commutative.
constexpr uint64_t Mix64(uint64_t a, uint64_t b) {
  return Mix64(Mix64(a + 0x9e3779b97f4a7c15ULL) ^ b);
}

// A uniform number in [0, 1) with 53 random bits.
constexpr double ToUnit(uint64_t bits) { return static_cast<double>(bits >> 11) * 0x1.0p-53; }

}  // namespace seraph

#endif  // SERAPH_COMMON_HASH_H_
