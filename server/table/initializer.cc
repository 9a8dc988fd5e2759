// SPDX-License-Identifier: Apache-2.0
#include "server/table/initializer.h"

#include <algorithm>

#include "common/hash.h"
#include "common/random.h"

namespace seraph {
namespace {

// Uniform in [-1, 1) in steps of 2^-23: exact in a float, and below 1 after any scaling.
float SignedUnit(uint64_t bits) {
  const int32_t steps = static_cast<int32_t>(bits >> 40) - (1 << 23);
  return static_cast<float>(steps) * 0x1.0p-23f;
}

// The sum of twelve 16-bit integers less its mean: an integer below 2^19 in size, whose variance is
// 2^32 - 1.
int32_t CentredSum(SplitMix64* random) {
  int32_t sum = -12 * 65535 / 2;
  for (int word = 0; word < 3; ++word) {
    const uint64_t bits = random->Next();
    for (int shift = 0; shift < 64; shift += 16) sum += static_cast<int32_t>(bits >> shift & 65535);
  }
  return sum;
}

}  // namespace

void InitialValue(const InitializerSpec& spec, uint64_t seed, uint64_t key,
                  absl::Span<float> weights) {
  SplitMix64 random(Mix64(seed, key));
  switch (spec.type) {
    case InitializerSpec::Type::kConstant:
      std::fill(weights.begin(), weights.end(), static_cast<float>(spec.value));
      return;
    case InitializerSpec::Type::kUniform: {
      const float half_width = static_cast<float>(spec.value);
      for (float& weight : weights) weight = half_width * SignedUnit(random.Next());
      return;
    }
    case InitializerSpec::Type::kNormal: {
      const float scale = static_cast<float>(spec.value * 0x1.0p-16);
      for (float& weight : weights) weight = scale * static_cast<float>(CentredSum(&random));
      return;
    }
  }
}

}  // namespace seraph
