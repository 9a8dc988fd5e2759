// SPDX-License-Identifier: Apache-2.0
// Keys of categorical values. They are parts of every saved model: changing the function makes
// models forget what they learned of categories.
#ifndef SERAPH_WORKER_DATA_CATEGORY_KEY_H_
#define SERAPH_WORKER_DATA_CATEGORY_KEY_H_

#include <cstdint>

#include "absl/strings/string_view.h"
#include "common/checksum.h"
#include "common/hash.h"

namespace seraph {

// The key of `value` (its bytes, unquoted) in the column at `position`: 63 bits of a hash below a
// top bit that keys of numeric columns, which are positions, never have. Two of n values share a
// key with a probability of about n^2 / 2^64.
inline uint64_t CategoryKey(uint64_t position, absl::string_view value) {
  return Mix64(position, Checksum(value)) | (uint64_t{1} << 63);
}

// Whether a key of a row of columns, not hashed yet, is of a categorical value.
inline bool IsCategoryKey(uint64_t key) { return key >> 63 != 0; }

// The key that feature hashing gives a key: the top `bits` (1..64) bits of a mix, so that keys of
// any pattern spread evenly over 2^bits.
inline uint64_t HashedKey(uint64_t key, uint32_t bits) {
  constexpr uint64_t kSalt = 0x6861736862697473;  // "hashbits": apart from all other uses of Mix64.
  return Mix64(kSalt, key) >> (64 - bits);
}

}  // namespace seraph

#endif  // SERAPH_WORKER_DATA_CATEGORY_KEY_H_
